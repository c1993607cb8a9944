import type { Hit } from "../domain/Hit.ts"
import type { ChunkRecord } from "../ports/catalog/ChunkCatalog.ts"

/** A chunk id with its place in the ranking and the scores it got on the way. */
export interface RankedId {
  readonly id: string
  readonly score: number
  readonly vector: number | null
  readonly lexical: number | null
  readonly fused: number | null
}

/** A text in the ranking, by the id of one chunk that holds it, with the chunks of its source that do. */
export interface RankedText extends RankedId {
  /** Those that were among the candidates; the catalog may know more. */
  readonly chunkIds: ReadonlyArray<string>
}

/** Joins ranked ids with what the catalog knows; an id the catalog no longer has is left out. */
export const toHits = (
  records: ReadonlyArray<ChunkRecord>,
  ranked: ReadonlyArray<RankedId>
): ReadonlyArray<Hit> => {
  const byId = new Map(records.map((record) => [record.chunk.id, record]))
  return ranked.flatMap(({ id, score, vector, lexical, fused }): ReadonlyArray<Hit> => {
    const record = byId.get(id)
    if (record === undefined) return []
    const { repo, bundle, path, metadata } = record.fields
    return [
      {
        chunk: record.chunk,
        repo,
        bundle,
        path,
        title: record.title,
        metadata,
        score,
        scores: { vector, lexical, fused, rerank: null },
        alsoIn: [],
        alsoInCount: 0
      }
    ]
  })
}

/** The hits in the order of their reranker scores, one finite score each; equal scores keep the order they had. */
export const applyRerankScores = (
  hits: ReadonlyArray<Hit>,
  scores: ReadonlyArray<number>
): ReadonlyArray<Hit> =>
  hits
    .map((hit, index): Hit => {
      const rerank = scores[index] ?? Number.NEGATIVE_INFINITY
      return { ...hit, score: rerank, scores: { ...hit.scores, rerank } }
    })
    .toSorted((left, right) => right.score - left.score)
