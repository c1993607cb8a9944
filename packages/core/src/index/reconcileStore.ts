import { Effect } from "effect"
import type { CatalogError, IndexError, VectorStoreError } from "../domain/errors.ts"
import type { Catalog } from "../ports/CatalogProvider.ts"
import type { VectorStore } from "../ports/VectorStoreProvider.ts"
import { applyOutbox } from "./applyOutbox.ts"
import type { VectorIndex } from "./Generation.ts"

/** What is in `left` and not in `right`. */
const without = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(right)
  return left.filter((id) => !known.has(id))
}

export interface StoreDrift {
  /** Chunks of the catalog that the store lacks. */
  readonly missing: ReadonlyArray<string>
  /** Vectors of no chunk. */
  readonly orphans: ReadonlyArray<string>
  /** Every id in the store. */
  readonly stored: ReadonlySet<string>
}

/** The number of vectors in a store. */
export const countOf = (store: VectorStore): Effect.Effect<number, VectorStoreError> =>
  // without a filter there is no input that could be invalid
  store.count().pipe(Effect.catchTag("InvalidInput", Effect.die))

/** Compares a store with the catalog by id. */
export const compareStore = Effect.fn("compareStore")(function* (
  catalog: Catalog,
  store: VectorStore | null
): Effect.fn.Return<StoreDrift, CatalogError | VectorStoreError> {
  const chunkIds = yield* catalog.chunkIds
  const storeIds = store === null ? [] : yield* store.ids
  const stored = new Set(storeIds)
  return {
    missing: chunkIds.filter((id) => !stored.has(id)),
    orphans: without(storeIds, chunkIds),
    stored
  }
})

/** Writes to the store what it lacks and removes what it should not have; see `applyOutbox`. Returns the number of writes. */
export const reconcileStore = Effect.fn("reconcileStore")(function* (
  catalog: Catalog,
  index: VectorIndex,
  tell: Effect.Effect<void, IndexError>
): Effect.fn.Return<number, IndexError> {
  const { missing, orphans } = yield* compareStore(catalog, index.store)
  yield* catalog.enqueue([...missing, ...orphans])
  return yield* applyOutbox(catalog, index, tell)
})
