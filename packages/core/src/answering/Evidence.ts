import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import type { IndexError, InvalidInput } from "../domain/errors.ts"
import type { Hit } from "../domain/Hit.ts"
import { Generations } from "../index/Generations.ts"
import type { AnswerRequest } from "../ports/AnswerGenerator.ts"
import { Retriever, type SearchRequest } from "../retrieval/Retriever.ts"
import { type Relevance, relevance } from "./relevance.ts"
import { TermWeights } from "./TermWeights.ts"

/**
 * The floor of an embedder that brings none: right for those whose vectors of unrelated texts are far apart, low for the
 * others, which lets through rather than refuse.
 */
export const uncalibratedFloor = 0.51
/** The floor where passages were found by words alone. */
export const wordsFloor = 0.6

/** What was found for a question, and whether it is enough to answer from. */
export interface Findings {
  readonly hits: ReadonlyArray<Hit>
  readonly warnings: ReadonlyArray<string>
  /** What a generator is asked. */
  readonly request: AnswerRequest
  readonly relevance: Relevance
  /** The relevance below which nothing is answered. */
  readonly floor: number
}

/** Finds the passages an answer may use and judges whether they are relevant at all. */
export class Evidence extends Context.Service<
  Evidence,
  {
    readonly find: (request: SearchRequest) => Effect.Effect<Findings, InvalidInput | IndexError>
  }
>()("@omnirag/core/answering/Evidence") {
  static readonly layer = Layer.effect(
    Evidence,
    Effect.gen(function* () {
      const { answering } = yield* AppConfig
      const generations = yield* Generations
      const retriever = yield* Retriever
      const termWeights = yield* TermWeights

      /** The configured floor, else that of the embedder the passages were found with. */
      const floorFor = Effect.fnUntraced(function* ({ similarityKnown }: Relevance) {
        if (answering.floor !== null) return answering.floor
        if (!similarityKnown) return wordsFloor
        const { vectors } = yield* generations.live
        return vectors?.embedder.relevanceFloor ?? uncalibratedFloor
      }, Effect.scoped)

      const find = Effect.fn("Evidence.find")(function* (search: SearchRequest) {
        const { hits, warnings } = yield* retriever.search(search)
        const request: AnswerRequest = {
          question: search.query,
          passages: hits.map((hit, index) => ({ number: index + 1, hit })),
          termWeights: yield* termWeights.of(search.query)
        }
        const judged = relevance(request.question, request.passages, request.termWeights)
        const floor = yield* floorFor(judged)
        yield* Effect.annotateCurrentSpan({ relevance: judged.score, floor })
        return { hits, warnings, request, relevance: judged, floor } satisfies Findings
      })

      return Evidence.of({ find })
    })
  )
}
