import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import { type IndexError, type InvalidInput, RerankError } from "../domain/errors.ts"
import type { Hit, SearchResult } from "../domain/Hit.ts"
import type { Generation } from "../index/Generation.ts"
import { Generations } from "../index/Generations.ts"
import { Reranker } from "../ports/Reranker.ts"
import { effectiveMode, rankTexts } from "./candidates.ts"
import { collapseRepeats, type SameText, withPlaces } from "./collapseRepeats.ts"
import { supportByDocument } from "./documentSupport.ts"
import { applyRerankScores, toHits } from "./hits.ts"
import { type SearchRequest, validateRequest } from "./SearchRequest.ts"

export { requestLimits, type SearchRequest } from "./SearchRequest.ts"

/** Texts at the top of the ranking whose documents are counted. */
const supportDepth = 50
/** Chunks that may stand for one text, the best supported in the end. */
const chunksPerText = 10

/** How often a search begins anew because another process wrote meanwhile. */
const mostRetries = 3

/** Finds the chunks that match a question best. */
export class Retriever extends Context.Service<
  Retriever,
  {
    readonly search: (request: SearchRequest) => Effect.Effect<SearchResult, InvalidInput | IndexError>
  }
>()("@omnirag/core/retrieval/Retriever") {
  static readonly layer = Layer.effect(
    Retriever,
    Effect.gen(function* () {
      const { retrieval } = yield* AppConfig
      const generations = yield* Generations
      const reranker = yield* Reranker

      /** Scores the candidates anew; when that fails the given order stays, with a warning. */
      const rerank = (query: string, hits: ReadonlyArray<Hit>) =>
        reranker
          .score(
            query,
            hits.map((hit) => hit.chunk.text)
          )
          .pipe(
            Effect.filterOrElse(
              (scores) => scores.length === hits.length && scores.every(Number.isFinite),
              (scores) =>
                Effect.fail(
                  new RerankError({
                    reranker: reranker.name,
                    message:
                      scores.length === hits.length
                        ? `${reranker.name} gave a score that is not finite`
                        : `${reranker.name} gave ${scores.length} scores for ${hits.length} passages`
                  })
                )
            ),
            Effect.map((scores) => ({
              hits: applyRerankScores(hits, scores),
              warnings: [] as Array<string>
            })),
            Effect.catchTag("RerankError", (error) =>
              Effect.as(Effect.logWarning(error.message), {
                hits,
                warnings: [`the hits were not reranked: ${error.message}`]
              })
            ),
            Effect.withSpan("Retriever.rerank")
          )

      /**
       * Ranks in the generation that is open. When another process has changed it since, vectors of chunks that are gone
       * stand where new ones belong: then in the one that is there now.
       */
      const rank = Effect.fnUntraced(function* (request: SearchRequest) {
        const rankIn = Effect.fnUntraced(function* (generation: Generation) {
          const { mode, warnings } = yield* effectiveMode(generation, request.mode ?? retrieval.mode)
          const { stale, texts } = yield* rankTexts(generation, request, mode, retrieval)
          return { generation, mode, warnings, ranked: texts, stale }
        })
        let ranked = yield* rankIn(yield* generations.live)
        for (let again = 0; ranked.stale && again < mostRetries; again++)
          ranked = yield* rankIn(yield* generations.writable)
        return ranked
      })

      const search = Effect.fn("Retriever.search")(function* (request: SearchRequest) {
        yield* validateRequest(request)
        const { generation, mode, ranked, warnings } = yield* rank(request)
        const wanted = request.topK * (request.rerank === true ? reranker.candidateFactor : 1)
        // more are read than asked for: documents speak for their chunks, and repeats of a text are joined
        const read = ranked
          .slice(0, Math.max(wanted * 2, supportDepth))
          .flatMap(({ chunkIds, ...text }) => chunkIds.slice(0, chunksPerText).map((id) => ({ ...text, id })))
        const records = yield* generation.catalog.chunks(read.map(({ id }) => id))
        const supported = supportByDocument(toHits(records, read), (hit) => hit.chunk.documentId)
        const groups = collapseRepeats(supported).slice(0, wanted)
        const hits = groups.map(([best]) => best)
        const reranked =
          request.rerank === true && hits.length > 0
            ? yield* rerank(request.query, hits)
            : { hits, warnings: [] }
        const groupOf = new Map(groups.map((group) => [group[0].chunk.id, group]))
        const best = reranked.hits
          .slice(0, request.topK)
          .map((hit): SameText => [hit, ...(groupOf.get(hit.chunk.id)?.slice(1) ?? [])])
        return {
          hits: yield* withPlaces(generation.catalog, best, request.where),
          mode,
          warnings: [...warnings, ...reranked.warnings]
        } satisfies SearchResult
      }, Effect.scoped)

      return Retriever.of({ search })
    })
  )
}
