import { Context, Effect, Layer } from "effect"
import { Access } from "../access/Access.ts"
import { AppConfig } from "../config/OmniragConfig.ts"
import type { FilterTooBroad, IndexError, InvalidInput } from "../domain/errors.ts"
import type { SearchResult } from "../domain/Hit.ts"
import type { Generation } from "../index/Generation.ts"
import { GenerationReader, type Reading } from "../index/GenerationReader.ts"
import { Reranker } from "../ports/Reranker.ts"
import { effectiveMode, rankTexts } from "./candidates.ts"
import { collapseRepeats, type SameText, withPlaces } from "./collapseRepeats.ts"
import { supportByDocument } from "./documentSupport.ts"
import { toHits } from "./hits.ts"
import { rerankHits } from "./rerankHits.ts"
import { type SearchRequest, validateRequest } from "./SearchRequest.ts"

/** Texts at the top of the ranking whose documents are counted. */
const supportDepth = 50
/** Chunks that may stand for one text, the best supported in the end. */
const chunksPerText = 10

/** What keeps a search from being made. */
export type SearchError = InvalidInput | FilterTooBroad | IndexError

/** Finds the chunks that match a question best, among those the caller sees. */
export class Retriever extends Context.Service<
  Retriever,
  {
    readonly search: (request: SearchRequest) => Effect.Effect<SearchResult, SearchError>
    /** The same in a generation that is open: for whoever reads more of it than hits. */
    readonly searchIn: (
      generation: Generation,
      request: SearchRequest
    ) => Effect.Effect<Reading<SearchResult>, SearchError>
  }
>()("@omnirag/core/retrieval/Retriever") {
  static readonly layer = Layer.effect(
    Retriever,
    Effect.gen(function* () {
      const { retrieval } = yield* AppConfig
      const access = yield* Access
      const reader = yield* GenerationReader
      const reranker = yield* Reranker

      const searchIn = Effect.fn("Retriever.searchIn")(function* (
        generation: Generation,
        asked: SearchRequest
      ): Effect.fn.Return<Reading<SearchResult>, SearchError> {
        yield* validateRequest(asked)
        const { within } = yield* access.view
        const request = { ...asked, where: within(asked.where) }
        const { mode, warnings } = yield* effectiveMode(generation, request.mode ?? retrieval.mode)
        const { stale, texts } = yield* rankTexts(generation, request, mode, retrieval)
        const wanted = request.topK * (request.rerank === true ? reranker.candidateFactor : 1)
        // more are read than asked for: documents speak for their chunks, and repeats of a text are joined
        const read = texts
          .slice(0, Math.max(wanted * 2, supportDepth))
          .flatMap(({ chunkIds, ...text }) => chunkIds.slice(0, chunksPerText).map((id) => ({ ...text, id })))
        const records = yield* generation.catalog.chunks.getMany(read.map(({ id }) => id))
        const supported = supportByDocument(toHits(records, read), (hit) => hit.chunk.documentId)
        const groups = collapseRepeats(supported).slice(0, wanted)
        const hits = groups.map(([best]) => best)
        const reranked =
          request.rerank === true && hits.length > 0
            ? yield* rerankHits(reranker, request.query, hits)
            : { hits, warnings: [] }
        const groupOf = new Map(groups.map((group) => [group[0].chunk.id, group]))
        const best = reranked.hits
          .slice(0, request.topK)
          .map((hit): SameText => [hit, ...(groupOf.get(hit.chunk.id)?.slice(1) ?? [])])
        const value: SearchResult = {
          hits: yield* withPlaces(generation.catalog, best, request.where),
          mode,
          warnings: [...warnings, ...reranked.warnings]
        }
        return { value, stale }
      })

      const search = Effect.fn("Retriever.search")(function* (
        request: SearchRequest
      ): Effect.fn.Return<SearchResult, SearchError> {
        // a request that is out of bounds opens nothing
        yield* validateRequest(request)
        return yield* reader.read((generation) => searchIn(generation, request))
      })

      return Retriever.of({ search, searchIn })
    })
  )
}
