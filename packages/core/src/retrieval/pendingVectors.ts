import { Effect, Option } from "effect"
import { compileFilter } from "../domain/compileFilter.ts"
import { dotProduct } from "../domain/dotProduct.ts"
import type { CatalogError, FilterTooBroad, InvalidInput, VectorStoreError } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import { planFilter } from "../index/filters/planFilter.ts"
import type { VectorIndex } from "../index/Generation.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { OutboxItem } from "../ports/catalog/Outbox.ts"
import { maxTopK, type VectorHit } from "../ports/VectorStoreProvider.ts"

/** The most pending writes a search takes into account; a run writes them to the store before there are so many. */
const mostPending = 6_000

const byScore = (left: VectorHit, right: VectorHit): number =>
  right.score - left.score || (left.id < right.id ? -1 : 1)

/** The nearest rows to a unit vector, best first. */
export type NearestRows = (
  vector: Float32Array,
  topK: number
) => Effect.Effect<ReadonlyArray<VectorHit>, VectorStoreError | InvalidInput>

/**
 * A store's `query` within a filter, whatever of it the store can evaluate itself, and as if the writes that wait in the
 * outbox were in the store already: while a run commits documents, and after one that died, the new version of each is
 * found and the old one is not.
 */
export const queryWithPending = Effect.fn("Retriever.pending")(function* (
  catalog: Catalog,
  { embedder, store }: VectorIndex,
  where: Filter | undefined
): Effect.fn.Return<NearestRows, CatalogError | InvalidInput | FilterTooBroad> {
  const plan = yield* planFilter(where, store, catalog)
  const stored: NearestRows = (vector, topK) =>
    Option.isNone(plan)
      ? Effect.succeed([])
      : store.query({ vector, topK, where: plan.value.where, ids: plan.value.ids })
  const pending = yield* catalog.outbox.pending(embedder.fingerprint, mostPending)
  if (pending.length === 0) return stored
  const ids = new Set(pending.map(({ chunkId }) => chunkId))
  const matches = where === undefined ? () => true : compileFilter(where)
  const written = pending.filter(
    (item): item is Extract<OutboxItem, { _tag: "Upsert" }> => item._tag === "Upsert" && matches(item.fields)
  )
  return (vector, topK) => {
    const found = written.map((item) => ({
      id: item.chunkId,
      score: Math.max(-1, Math.min(1, dotProduct(item.vector, vector)))
    }))
    return Effect.map(stored(vector, Math.min(topK + ids.size, maxTopK)), (hits) =>
      [...hits.filter(({ id }) => !ids.has(id)), ...found].toSorted(byScore).slice(0, topK)
    )
  }
})
