import { Effect } from "effect"
import { textHash } from "../domain/Chunk.ts"
import { dotProduct } from "../domain/dotProduct.ts"
import type { CatalogError, InvalidInput, VectorStoreError } from "../domain/errors.ts"
import { and, equals, exists, type Filter, not } from "../domain/Filter.ts"
import type { DocumentRecord } from "../domain/DocumentRecord.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { maxTopK, type VectorStore } from "../ports/VectorStoreProvider.ts"
import type { VectorIndex } from "../index/Generation.ts"

/** Documents looked at by one page. */
const pageSize = 200

/** Cosines that differ by more are those of different vectors; 16-bit floats would differ by less. */
const tolerance = 0.002

/** That a row has the bundle of its document; nothing where the store cannot ask whether a field is absent. */
const bundleIs = (
  bundle: string | null,
  { capabilities: { filters } }: VectorStore
): ReadonlyArray<Filter> => {
  if (bundle !== null) return [equals("bundle", bundle)]
  return filters.exists && filters.not ? [not(exists("bundle"))] : []
}

/** The fields that all rows of a document share, as a filter: a row with other ones is not found. */
const rowsOf = ({ bundle, id, mediaType, path, source }: DocumentRecord, store: VectorStore): Filter =>
  and(
    equals("documentId", id),
    equals("repo", source),
    equals("path", path),
    equals("mediaType", mediaType),
    ...bundleIs(bundle, store)
  )

/**
 * A unit vector that every vector of a document has its own cosine with: their sum, each weighted by its place, so that
 * two that have changed places are told apart; an axis where they cancel.
 */
const probeOf = (vectors: Iterable<Float32Array>, dimensions: number): Float32Array => {
  const sum = new Float32Array(dimensions)
  let weight = 0
  for (const vector of vectors) {
    weight++
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + weight * value
  }
  const length = Math.hypot(...sum)
  return length > 1e-3
    ? sum.map((value) => value / length)
    : Float32Array.from(sum, (_, index) => (index === 0 ? 1 : 0))
}

/** The chunks of one document whose row in the store is not what the catalog has. */
const wrongRows = Effect.fnUntraced(function* (
  catalog: Catalog,
  { embedder, store }: VectorIndex,
  document: DocumentRecord,
  missing: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<string>, CatalogError | VectorStoreError | InvalidInput> {
  const chunks = (yield* catalog.chunks.ofDocument(document.id)).filter(({ id }) => !missing.has(id))
  if (chunks.length === 0) return []
  const hashes = chunks.map(({ text }) => textHash(text))
  const vectors = yield* catalog.cache.get(embedder.fingerprint, "document", hashes)
  const probe = probeOf(vectors.values(), embedder.dimensions)
  const topK = Math.min(chunks.length, maxTopK)
  const hits = yield* store.query({ vector: probe, topK, where: rowsOf(document, store) })
  const scores = new Map(hits.map(({ id, score }) => [id, score]))
  return chunks.flatMap(({ id }, index) => {
    const vector = vectors.get(hashes[index] ?? "")
    const score = scores.get(id)
    // of more rows than a query may ask for, those behind the last hit are not known
    if (vector === undefined || (score === undefined && chunks.length > maxTopK)) return []
    return score !== undefined && Math.abs(score - dotProduct(vector, probe)) <= tolerance ? [] : [id]
  })
})

/**
 * Compares what a store holds of each document with the catalog, one query a document: the cosines of its rows with a
 * vector that depends on all of them, among the rows with the fields of the document. Returns the ids of chunks whose
 * row has another vector or other fields (intent, page, confidence and metadata are not compared). `missing` are the ids
 * that the store lacks.
 */
export const compareVectors = Effect.fn("compareVectors")(function* (
  catalog: Catalog,
  index: VectorIndex,
  missing: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<string>, CatalogError | VectorStoreError | InvalidInput> {
  const wrong: Array<string> = []
  let after: string | undefined
  for (;;) {
    const page = yield* catalog.documents.list({ first: pageSize, after })
    for (const document of page.documents)
      wrong.push(...(yield* wrongRows(catalog, index, document, missing)))
    if (page.next === null) return wrong
    after = page.next
  }
})
