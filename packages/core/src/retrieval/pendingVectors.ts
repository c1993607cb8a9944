import { Effect } from "effect"
import { compileFilter } from "../domain/compileFilter.ts"
import { dotProduct } from "../domain/dotProduct.ts"
import type { CatalogError, InvalidInput, VectorStoreError } from "../domain/errors.ts"
import type { VectorIndex } from "../index/Generation.ts"
import type { Catalog, OutboxItem } from "../ports/CatalogProvider.ts"
import { maxTopK, type VectorHit, type VectorQuery } from "../ports/VectorStoreProvider.ts"

/** The most pending writes a search takes into account; a run writes them to the store before there are so many. */
const mostPending = 6_000

const byScore = (left: VectorHit, right: VectorHit): number =>
  right.score - left.score || (left.id < right.id ? -1 : 1)

/**
 * A store's `query` as if the writes that wait in the outbox were in the store already: while a run commits documents, and
 * after one that died, the new version of each is found and the old one is not. With nothing pending it is the store's own.
 */
export const queryWithPending = Effect.fn("Retriever.pending")(function* (
  catalog: Catalog,
  { embedder, store }: VectorIndex
): Effect.fn.Return<
  (query: VectorQuery) => Effect.Effect<ReadonlyArray<VectorHit>, VectorStoreError | InvalidInput>,
  CatalogError
> {
  const pending = yield* catalog.outbox(embedder.fingerprint, mostPending)
  if (pending.length === 0) return store.query
  const ids = new Set(pending.map(({ chunkId }) => chunkId))
  const written = pending.filter(
    (item): item is Extract<OutboxItem, { _tag: "Upsert" }> => item._tag === "Upsert"
  )
  return (query) => {
    const { topK, vector, where } = query
    const matches = where === undefined ? () => true : compileFilter(where)
    const found = written
      .filter(({ fields }) => matches(fields))
      .map((item) => ({
        id: item.chunkId,
        score: Math.max(-1, Math.min(1, dotProduct(item.vector, vector)))
      }))
    return store
      .query({ ...query, topK: Math.min(topK + ids.size, maxTopK) })
      .pipe(
        Effect.map((stored) =>
          [...stored.filter(({ id }) => !ids.has(id)), ...found].toSorted(byScore).slice(0, topK)
        )
      )
  }
})
