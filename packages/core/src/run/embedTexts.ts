import { Effect } from "effect"
import { EmbeddingError } from "../domain/errors.ts"
import type { CachedVector } from "../ports/catalog/VectorCache.ts"
import type { Embedder } from "../ports/EmbedderProvider.ts"

/** A text to embed as a passage, with its hash. */
export interface TextToEmbed {
  readonly hash: string
  readonly text: string
}

/** Tokens of one call, estimated at four UTF-16 units each: bounds the padding and the memory of a model. */
const tokensPerCall = 16_384
const estimateTokens = (text: string): number => Math.ceil(text.length / 4)

/** Cuts texts into calls of at most `batchSize` texts and about `tokensPerCall` tokens; a long text goes alone. */
export const batchTexts = <A extends TextToEmbed>(
  texts: ReadonlyArray<A>,
  batchSize: number
): ReadonlyArray<ReadonlyArray<A>> => {
  const batches: Array<Array<A>> = []
  let batch: Array<A> = []
  let tokens = 0
  for (const item of texts) {
    const more = estimateTokens(item.text)
    if (batch.length > 0 && (batch.length >= batchSize || tokens + more > tokensPerCall)) {
      batches.push(batch)
      batch = []
      tokens = 0
    }
    batch.push(item)
    tokens += more
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

/** Refuses what an embedder may never return: another number of vectors, other dimensions, numbers that are not finite. */
const checkVectors = (embedder: Embedder, expected: number, count: number, vectors: Float32Array) => {
  const fault =
    count !== expected || vectors.length !== expected * embedder.dimensions
      ? `returned ${count} vectors (${vectors.length} numbers) for ${expected} texts of ${embedder.dimensions} dimensions`
      : vectors.some((value) => !Number.isFinite(value))
        ? "returned a number that is not finite"
        : undefined
  return fault === undefined
    ? Effect.void
    : Effect.fail(
        new EmbeddingError({
          embedder: embedder.name,
          message: `${embedder.name} ${fault}; nothing of this batch was stored`,
          retryable: false
        })
      )
}

/** The vectors of one call, and what happened to single texts of it. */
export interface EmbeddedBatch<A> {
  readonly vectors: ReadonlyArray<CachedVector>
  readonly warnings: ReadonlyArray<{ readonly item: A; readonly message: string }>
}

/** Embeds the texts of one call. */
export const embedBatch = Effect.fn("embedBatch")(function* <A extends TextToEmbed>(
  embedder: Embedder,
  batch: ReadonlyArray<A>
): Effect.fn.Return<EmbeddedBatch<A>, EmbeddingError> {
  const result = yield* embedder.embed(
    batch.map((item) => item.text),
    "document"
  )
  yield* checkVectors(embedder, batch.length, result.count, result.vectors)
  const { dimensions } = embedder
  return {
    vectors: batch.map((item, row) => ({
      textHash: item.hash,
      vector: result.vectors.subarray(row * dimensions, (row + 1) * dimensions)
    })),
    warnings: (result.warnings ?? []).flatMap(({ index, message }) => {
      const item = batch[index]
      return item === undefined ? [] : [{ item, message }]
    })
  }
})
