import { Effect } from "effect"
import type { AppConfig } from "../config/OmniragConfig.ts"
import type { IndexError, InvalidInput } from "../domain/errors.ts"
import type { SearchMode } from "../domain/Hit.ts"
import type { Generation } from "../indexing/Generation.ts"
import { analyze } from "../language/terms.ts"
import { fuseReciprocalRank, fuseScaled, type ScoredId } from "./fusion.ts"
import type { RankedId } from "./hits.ts"
import type { SearchRequest } from "./SearchRequest.ts"

type RetrievalSettings = AppConfig["Service"]["retrieval"]

/** What each list found, best first. */
export interface Candidates {
  readonly lexical: ReadonlyArray<ScoredId>
  readonly vector: ReadonlyArray<ScoredId>
  /** Share of the vector list in the fusion. */
  readonly vectorWeight: number
}

/**
 * The mode a generation can serve. Without vectors (nothing indexed yet, an embedder still to be fitted) search is
 * lexical, with a warning; vectors that are there but cannot be used are an error: never silently fewer results.
 */
export const effectiveMode = Effect.fnUntraced(function* (
  generation: Generation,
  mode: SearchMode
): Effect.fn.Return<{ readonly mode: SearchMode; readonly warnings: ReadonlyArray<string> }, IndexError> {
  const { chunks } = yield* generation.catalog.counts
  if (chunks === 0) return { mode: "lexical", warnings: ["the index is empty; run `omnirag index`"] }
  if (mode === "lexical") return { mode, warnings: [] }
  if (generation.fault !== null) return yield* generation.fault
  return generation.vectors === null
    ? { mode: "lexical", warnings: ["the index has no vectors yet; only words were searched"] }
    : { mode, warnings: [] }
})

const lexicalCandidates = (generation: Generation, request: SearchRequest, limit: number) =>
  generation.catalog
    .lexical({ terms: analyze(request.query), limit, where: request.where })
    .pipe(Effect.withSpan("Retriever.lexical"))

const vectorCandidates = Effect.fn("Retriever.vector")(function* (
  generation: Generation,
  request: SearchRequest,
  limit: number
) {
  if (generation.vectors === null) return []
  const { embedder, store } = generation.vectors
  const { vectors } = yield* embedder.embed([request.query], "query")
  return yield* store.query({ vector: vectors, topK: limit, where: request.where })
})

/** Asks the lists that the mode needs, both at once. */
export const findCandidates = (
  generation: Generation,
  request: SearchRequest,
  mode: SearchMode,
  settings: RetrievalSettings
): Effect.Effect<Candidates, InvalidInput | IndexError> => {
  const limit = Math.max(settings.candidates, request.topK)
  return Effect.all(
    {
      vector: mode === "lexical" ? Effect.succeed([]) : vectorCandidates(generation, request, limit),
      lexical: mode === "vector" ? Effect.succeed([]) : lexicalCandidates(generation, request, limit)
    },
    { concurrency: 2 }
  ).pipe(
    Effect.map((lists) => ({
      ...lists,
      vectorWeight: settings.vectorWeight ?? generation.vectors?.embedder.fusionWeight ?? 0
    }))
  )
}

const scoresById = (hits: ReadonlyArray<ScoredId>) => new Map(hits.map(({ id, score }) => [id, score]))

/** One ranking out of the lists: score descending, then id, so that equal scores always come in the same order. */
export const rankCandidates = (
  { lexical, vector, vectorWeight }: Candidates,
  mode: SearchMode,
  settings: RetrievalSettings
): ReadonlyArray<RankedId> => {
  const fuse = settings.fusion === "rrf" ? fuseReciprocalRank : fuseScaled
  const vectorScores = scoresById(vector)
  const lexicalScores = scoresById(lexical)
  const fused =
    mode === "hybrid"
      ? fuse([
          { weight: vectorWeight, hits: vector },
          { weight: 1 - vectorWeight, hits: lexical }
        ])
      : null
  const scores = fused ?? (mode === "vector" ? vectorScores : lexicalScores)
  return Array.from(scores, ([id, score]) => ({
    id,
    score,
    vector: vectorScores.get(id) ?? null,
    lexical: lexicalScores.get(id) ?? null,
    fused: fused === null ? null : score
  })).toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}
