import { Effect, Stream } from "effect"
import type { CatalogError, VectorStoreError } from "../domain/errors.ts"
import { chunkIds, compareStore, type StoreDrift } from "../index/compareStore.ts"
import type { VectorIndex } from "../index/Generation.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { addDrift, type Drift, noDrift } from "./Drift.ts"

/** How a store differs from the catalog by id. */
export interface StoreDrifts {
  /** Chunks of the catalog that the store lacks. */
  readonly missing: Drift
  /** Vectors of no chunk. */
  readonly orphans: Drift
  /** Every missing id: such a row has no vector that could be wrong. */
  readonly missingIds: ReadonlySet<string>
}

const differences = (
  catalog: Catalog,
  index: VectorIndex | null
): Stream.Stream<StoreDrift, CatalogError | VectorStoreError> =>
  index === null
    ? Stream.map(chunkIds(catalog), (id): StoreDrift => ({ kind: "missing", id }))
    : compareStore(catalog, index.store)

/** Counts what differs; without vectors every chunk lacks its own. */
export const storeDrift = Effect.fn("storeDrift")(function* (
  catalog: Catalog,
  index: VectorIndex | null
): Effect.fn.Return<StoreDrifts, CatalogError | VectorStoreError> {
  const missingIds = new Set<string>()
  let missing = noDrift
  let orphans = noDrift
  yield* Stream.runForEach(differences(catalog, index), ({ id, kind }) =>
    Effect.sync(() => {
      if (kind === "orphan") orphans = addDrift(orphans, id)
      else {
        missing = addDrift(missing, id)
        missingIds.add(id)
      }
    })
  )
  return { missing, orphans, missingIds }
})
