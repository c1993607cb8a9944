import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import type { Hit } from "../domain/Hit.ts"
import type { Notice } from "../domain/Notice.ts"
import type { Generation } from "../index/Generation.ts"
import { GenerationReader, type Reading } from "../index/GenerationReader.ts"
import type { AnswerRequest } from "../ports/AnswerGenerator.ts"
import { Retriever, type SearchError } from "../retrieval/Retriever.ts"
import { type SearchRequest, validateRequest } from "../retrieval/SearchRequest.ts"
import { type Relevance, relevance } from "./relevance.ts"
import { termWeights } from "./termWeights.ts"

/**
 * The floor of an embedder that brings none: right for those whose vectors of unrelated texts are far apart, low for the
 * others, which lets through rather than refuse.
 */
export const uncalibratedFloor = 0.51
/** The floor where passages were found by words alone. */
export const wordsFloor = 0.6

/** What was found for a question, and whether it is enough to answer from. All of it is of one generation. */
export interface Findings {
  readonly hits: ReadonlyArray<Hit>
  readonly warnings: ReadonlyArray<Notice>
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
    readonly find: (request: SearchRequest) => Effect.Effect<Findings, SearchError>
  }
>()("@omnirag/core/answering/Evidence") {
  static readonly layer = Layer.effect(
    Evidence,
    Effect.gen(function* () {
      const { answering } = yield* AppConfig
      const reader = yield* GenerationReader
      const retriever = yield* Retriever

      /** The configured floor, else that of the embedder the passages were found with. */
      const floorFor = ({ vectors }: Generation, { similarityKnown }: Relevance): number => {
        if (answering.floor !== null) return answering.floor
        if (!similarityKnown) return wordsFloor
        return vectors?.embedder.relevanceFloor ?? uncalibratedFloor
      }

      const findIn = Effect.fnUntraced(function* (
        generation: Generation,
        search: SearchRequest
      ): Effect.fn.Return<Reading<Findings>, SearchError> {
        const { stale, value } = yield* retriever.searchIn(generation, search)
        const { hits, warnings } = value
        const request: AnswerRequest = {
          question: search.query,
          passages: hits.map((hit, index) => ({ number: index + 1, hit })),
          termWeights: yield* termWeights(search.query, generation.lexical)
        }
        const judged = relevance(request.question, request.passages, request.termWeights)
        const floor = floorFor(generation, judged)
        return { value: { hits, warnings, request, relevance: judged, floor }, stale }
      })

      const find = Effect.fn("Evidence.find")(function* (
        search: SearchRequest
      ): Effect.fn.Return<Findings, SearchError> {
        yield* validateRequest(search)
        const findings = yield* reader.read((generation) => findIn(generation, search))
        yield* Effect.annotateCurrentSpan({
          relevance: findings.relevance.score,
          floor: findings.floor
        })
        return findings
      })

      return Evidence.of({ find })
    })
  )
}
