import { Effect } from "effect"
import type { IndexError } from "../domain/errors.ts"
import type { ChunkFields } from "../domain/Filter.ts"
import { chunkAnalysis, type ChunkTerms } from "../language/ChunkAnalysis.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { OutboxItem } from "../ports/catalog/Outbox.ts"
import type { VectorIndex } from "./Generation.ts"
import { countDocuments } from "./indexCounts.ts"
import { releaseChunks } from "./releaseMemory.ts"

/** Rows read from the outbox at a time. */
const pageSize = 2_000
/** Rows after which what their pages have left behind is released. */
const releaseEvery = 20_000

/** The rows of a page as one contiguous batch. */
const toBatch = (
  items: ReadonlyArray<Extract<OutboxItem, { _tag: "Upsert" }>>,
  dimensions: number
): { ids: Array<string>; fields: Array<ChunkFields>; vectors: Float32Array } => {
  const vectors = new Float32Array(items.length * dimensions)
  items.forEach((item, row) => vectors.set(item.vector, row * dimensions))
  return { ids: items.map((item) => item.chunkId), fields: items.map((item) => item.fields), vectors }
}

const noTerms: ChunkTerms = { heading: [], body: [] }

/** The terms of chunks, in the order of their ids. */
const termsOf = Effect.fnUntraced(function* (catalog: Catalog, ids: ReadonlyArray<string>) {
  const records = yield* catalog.chunks.getMany(ids)
  const terms = new Map(
    records.map(({ chunk, title }) => [chunk.id, chunkAnalysis.termsOf(title, chunk)] as const)
  )
  return ids.map((id) => terms.get(id) ?? noTerms)
})

/**
 * Brings the vector store up to the catalog: applies every pending write, makes it durable, then forgets it. Applying a
 * write twice changes nothing, so a crash between any two steps is healed by the next call. `tell` lets other processes
 * know that the store has changed, before the writes are forgotten: until then their searches see what is pending.
 * Returns the writes applied.
 */
export const applyOutbox = Effect.fn("applyOutbox")(function* (
  catalog: Catalog,
  { embedder, store, words }: VectorIndex,
  tell: Effect.Effect<void, IndexError>
): Effect.fn.Return<number, IndexError> {
  let applied = 0
  if ((yield* catalog.outbox.count) > pageSize && store.reserve !== undefined)
    yield* store.reserve((yield* countDocuments(catalog)).chunks)
  while (true) {
    const items = yield* catalog.outbox.pending(embedder.fingerprint, pageSize)
    if (items.length === 0) return applied
    const removals = items.flatMap((item) => (item._tag === "Remove" ? [item.chunkId] : []))
    const upserts = items.flatMap((item) => (item._tag === "Upsert" ? [item] : []))
    if (removals.length > 0) yield* store.delete(removals)
    if (upserts.length > 0) {
      const batch = toBatch(upserts, embedder.dimensions)
      yield* store.upsert(words ? { ...batch, terms: yield* termsOf(catalog, batch.ids) } : batch)
    }
    yield* store.flush
    yield* tell
    yield* catalog.outbox.confirm(items.map((item) => item.sequence))
    applied += items.length
    if (applied % releaseEvery === 0) yield* releaseChunks(applied)
  }
})
