import { Effect, Option } from "effect"
import type { AppConfig } from "../config/OmniragConfig.ts"
import { textHash } from "../domain/Chunk.ts"
import type { CatalogError, FilterTooBroad, IndexError, InvalidInput } from "../domain/errors.ts"
import type { SearchMode } from "../domain/Hit.ts"
import { type Notice, notice } from "../domain/Notice.ts"
import type { Generation, VectorIndex } from "../index/Generation.ts"
import { modelChange } from "../index/modelChange.ts"
import { queryTerms } from "../language/terms.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { Embedder } from "../ports/EmbedderProvider.ts"
import { makeDistinctTexts } from "./distinctTexts.ts"
import { type FeedbackPassage, rocchio } from "./feedback.ts"
import { fuseReciprocalRank, fuseScaled, type ScoredId } from "./fusion.ts"
import type { RankedId, RankedText } from "./hits.ts"
import { queryWithPending } from "./pendingVectors.ts"
import type { SearchRequest } from "./SearchRequest.ts"

type RetrievalSettings = AppConfig["Service"]["retrieval"]

/** The passages of the first ranking that the second question is made from. */
const feedbackPassages = 4

/**
 * The mode a generation can serve. Without vectors (nothing indexed yet, an embedder still to be fitted) search is
 * lexical, with a warning; vectors that are there but cannot be used are an error: never silently fewer results.
 */
export const effectiveMode = Effect.fnUntraced(function* (
  generation: Generation,
  mode: SearchMode
): Effect.fn.Return<{ readonly mode: SearchMode; readonly warnings: ReadonlyArray<Notice> }, IndexError> {
  if (yield* generation.catalog.chunks.isEmpty)
    return { mode: "lexical", warnings: [{ message: "the index is empty", remedy: "index" }] }
  if (mode === "lexical") return { mode, warnings: [] }
  if (generation.fault !== null) return yield* generation.fault
  return generation.vectors === null
    ? { mode: "lexical", warnings: [notice("the index has no vectors yet; only words were searched")] }
    : { mode, warnings: [] }
})

/** One ranking out of the lists: score descending, then id, so that equal scores always come in the same order. */
export const fuse = (
  lexical: ReadonlyArray<ScoredId>,
  vector: ReadonlyArray<ScoredId>,
  vectorWeight: number,
  fusion: RetrievalSettings["fusion"]
): ReadonlyArray<RankedId> => {
  const lists = [
    { weight: vectorWeight, hits: vector },
    { weight: 1 - vectorWeight, hits: lexical }
  ]
  const fused = fusion === "rrf" ? fuseReciprocalRank(lists) : fuseScaled(lists)
  const vectorScores = new Map(vector.map(({ id, score }) => [id, score]))
  const lexicalScores = new Map(lexical.map(({ id, score }) => [id, score]))
  return Array.from(fused, ([id, score]) => ({
    id,
    score,
    vector: vectorScores.get(id) ?? null,
    lexical: lexicalScores.get(id) ?? null,
    fused: score
  })).toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

const fromOneList = (hits: ReadonlyArray<ScoredId>, list: "vector" | "lexical"): ReadonlyArray<RankedId> =>
  hits.map(({ id, score }) => ({ id, score, vector: null, lexical: null, fused: null, [list]: score }))

/** The vectors of the best passages, out of the cache: no text is embedded again. */
const passagesOf = Effect.fnUntraced(function* (
  catalog: Catalog,
  { embedder }: VectorIndex,
  ranked: ReadonlyArray<RankedId>
): Effect.fn.Return<ReadonlyArray<FeedbackPassage>, CatalogError> {
  const best = new Map(ranked.slice(0, feedbackPassages).map(({ id, score }) => [id, score]))
  const records = yield* catalog.chunks.getMany([...best.keys()])
  const hashes = records.map(({ chunk }) => textHash(chunk.text))
  const vectors = yield* catalog.cache.get(embedder.fingerprint, "document", hashes)
  return records.flatMap(({ chunk }, index) => {
    const vector = vectors.get(hashes[index] ?? "")
    return vector === undefined ? [] : [{ vector, weight: best.get(chunk.id) ?? 0 }]
  })
})

/** The vector of a question; `ModelChanged` when the model is no longer the one the passages were embedded with. */
const embedQuestion = Effect.fnUntraced(function* (
  embedder: Embedder,
  question: string
): Effect.fn.Return<Float32Array, IndexError> {
  const [embedded, changed] = yield* Effect.all(
    [Effect.result(embedder.embed([question], "query")), modelChange(embedder)],
    { concurrency: 2 }
  )
  if (Option.isSome(changed)) return yield* changed.value
  return (yield* Effect.fromResult(embedded)).vectors
})

/** Texts for a question, best first. */
export interface Ranking {
  readonly texts: ReadonlyArray<RankedText>
  /** True when a list named chunks the catalog does not have (any more). */
  readonly stale: boolean
}

/**
 * Ranks texts for a question: words (BM25) and meaning (vectors) are asked, both filtered, and fused. With feedback the
 * vector search is done a second time, from the question moved towards the best passages of the first ranking.
 */
export const rankTexts = Effect.fn("Retriever.rank")(function* (
  { catalog, lexical: words, vectors }: Generation,
  request: SearchRequest,
  mode: SearchMode,
  settings: RetrievalSettings
): Effect.fn.Return<Ranking, InvalidInput | FilterTooBroad | IndexError> {
  const { where } = request
  const limit = Math.max(settings.candidates, request.topK)
  // a few repeats in a long list matter to nobody
  const bounds = { limit, enough: Math.max(request.topK, Math.ceil(limit / 2)) }
  const texts = makeDistinctTexts(catalog)
  const withChunks = (ranked: ReadonlyArray<RankedId>): Ranking => ({
    texts: ranked.map((text) => ({ ...text, chunkIds: texts.chunksOf(text.id) })),
    stale: texts.isStale()
  })
  const terms = queryTerms(request.query)
  const byWords = (common: boolean) =>
    texts.best((topK) => words.search({ terms, limit: topK, where, common }), bounds)
  const lexical = mode === "vector" ? [] : yield* byWords(false)
  if (mode === "lexical" || vectors === null) {
    // a text that fills half of the index makes its words common: others that hold them are still better than none
    const filled = lexical.length < request.topK ? yield* byWords(true) : lexical
    return withChunks(fromOneList(filled, "lexical"))
  }
  const { embedder } = vectors
  const question = yield* embedQuestion(embedder, request.query)
  const query = yield* queryWithPending(catalog, vectors, where)
  // an embedder that knows no word of the question gives no direction: every row would be as near as any other
  const nearest = (vector: Float32Array) =>
    vector.every((value) => value === 0)
      ? Effect.succeed([])
      : texts.best((topK) => query(vector, topK), bounds)
  const first = yield* nearest(question)
  const weight = settings.vectorWeight ?? embedder.fusionWeight
  const rank = (vector: ReadonlyArray<ScoredId>) =>
    mode === "vector" ? fromOneList(vector, "vector") : fuse(lexical, vector, weight, settings.fusion)
  const ranked = rank(first)
  if (!settings.feedback) return withChunks(ranked)
  const passages = yield* passagesOf(catalog, vectors, ranked)
  const again = rank(yield* nearest(rocchio(question, passages)))
  // the order is that of the moved question, the score of the vector stage is the cosine with the question itself
  const cosines = new Map(first.map(({ id, score }) => [id, score]))
  return withChunks(again.map((text) => ({ ...text, vector: cosines.get(text.id) ?? null })))
})
