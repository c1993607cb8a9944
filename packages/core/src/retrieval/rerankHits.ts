import { Effect } from "effect"
import { RerankError } from "../domain/errors.ts"
import type { Hit } from "../domain/Hit.ts"
import { type Notice, notice } from "../domain/Notice.ts"
import type { Reranker } from "../ports/Reranker.ts"
import { applyRerankScores } from "./hits.ts"

/** Hits in a new order, or in the given one with the reason why. */
export interface Reranked {
  readonly hits: ReadonlyArray<Hit>
  readonly warnings: ReadonlyArray<Notice>
}

const faultOf = (scores: ReadonlyArray<number>, expected: number): string | undefined => {
  if (scores.length !== expected) return `gave ${scores.length} scores for ${expected} passages`
  return scores.every(Number.isFinite) ? undefined : "gave a score that is not finite"
}

/** Scores hits again against the question; when that fails the given order stays, with a warning. */
export const rerankHits = (
  reranker: Reranker["Service"],
  question: string,
  hits: ReadonlyArray<Hit>
): Effect.Effect<Reranked> =>
  Effect.gen(function* () {
    const scores = yield* reranker.score(
      question,
      hits.map((hit) => hit.chunk.text)
    )
    const fault = faultOf(scores, hits.length)
    if (fault !== undefined)
      return yield* new RerankError({ reranker: reranker.name, message: `${reranker.name} ${fault}` })
    return { hits: applyRerankScores(hits, scores), warnings: [] } satisfies Reranked
  }).pipe(
    Effect.catchTag("RerankError", (error) =>
      Effect.as(Effect.logWarning(error.message), {
        hits,
        warnings: [notice(`the hits were not reranked: ${error.message}`)]
      })
    ),
    Effect.withSpan("Retriever.rerank")
  )
