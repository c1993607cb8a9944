import { Effect, Stream } from "effect"
import type { IndexError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { applyOutbox } from "./applyOutbox.ts"
import { compareStore } from "./compareStore.ts"
import type { VectorIndex } from "./Generation.ts"

/** Ids put into the outbox by one statement. */
const batch = 1_000

/** Writes to the store what it lacks and removes what it should not have; see `applyOutbox`. Returns the number of writes. */
export const reconcileStore = Effect.fn("reconcileStore")(function* (
  catalog: Catalog,
  index: VectorIndex,
  tell: Effect.Effect<void, IndexError>
): Effect.fn.Return<number, IndexError> {
  yield* compareStore(catalog, index.store).pipe(
    Stream.map(({ id }) => id),
    Stream.grouped(batch),
    Stream.runForEach((ids) => catalog.outbox.enqueue(ids))
  )
  return yield* applyOutbox(catalog, index, tell)
})
