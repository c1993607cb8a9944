import {
  type Embedder,
  EmbeddingError,
  type Embeddings,
  type EmbeddingRole,
  failureText,
  isContextExceeded
} from "@omnirag/core/plugin"
import { Effect, SchemaIssue, Semaphore } from "effect"
import { AiError, type EmbeddingModel } from "effect/ai"
import type { Prefixes } from "./prefixes.ts"
import { halve, isBlank, splitIntoWindows } from "./windows.ts"

export interface ModelEmbedderOptions {
  readonly name: string
  readonly dimensions: number
  readonly fingerprint: string
  readonly fusionWeight: number
  readonly batchSize: number
  /** Most tokens in one call, estimated. */
  readonly batchTokens: number
  readonly concurrency: number
  /** Most tokens in one text. */
  readonly contextTokens: number
  readonly prefixes: Prefixes
  readonly estimateTokens: (text: string) => number
}

/** A text or a window of it, by the index of the text. */
interface Piece {
  readonly index: number
  readonly text: string
}
interface PieceVector {
  readonly index: number
  readonly vector: ReadonlyArray<number>
}

/** Tokens that models add around a text. */
const specialTokens = 4
/** When a model refuses a text as short as this, the reason is not its length. */
const shortest = 16

/** Groups pieces into calls of at most `size` pieces and `tokens` tokens; a longer piece has a call of its own. */
const batchPieces = (
  pieces: ReadonlyArray<Piece>,
  size: number,
  tokens: number,
  cost: (text: string) => number
): ReadonlyArray<ReadonlyArray<Piece>> => {
  const batches: Array<Array<Piece>> = []
  let left = 0
  for (const piece of pieces) {
    const price = cost(piece.text)
    const last = batches.at(-1)
    if (last === undefined || last.length === size || price > left) {
      batches.push([piece])
      left = tokens - price
    } else {
      last.push(piece)
      left -= price
    }
  }
  return batches
}

/** Adds the vector, scaled to length 1, to a row. */
const addUnit = (row: Float32Array, vector: ReadonlyArray<number>): void => {
  const norm = Math.hypot(...vector)
  if (norm === 0) return
  for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) + (vector[at] ?? 0) / norm
}

/** Scales a row to length 1; false when it has no direction. */
const normalize = (row: Float32Array): boolean => {
  let sum = 0
  for (const value of row) sum += value * value
  if (sum === 0) return false
  const norm = Math.sqrt(sum)
  for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) / norm
  return true
}

/**
 * An embedder from any `EmbeddingModel` of effect/ai: adds the prefix of the role, splits texts that are longer than
 * the model's context into windows and averages their unit vectors, makes batches, limits the number of calls at the
 * same time, and scales vectors to length 1. Blank texts are not sent to the model: their rows are 0. When a text was
 * changed or skipped, a warning at its index says so.
 */
export const embedderFromModel = (
  model: EmbeddingModel.EmbeddingModel,
  options: ModelEmbedderOptions
): Embedder => {
  const calls = Semaphore.makeUnsafe(options.concurrency)
  const { dimensions, estimateTokens: cost } = options

  const toEmbeddingError = (error: AiError.AiError) =>
    new EmbeddingError({
      embedder: options.name,
      message: failureText(error),
      retryable: error.reason.isRetryable,
      cause: error
    })

  /** The vectors of the pieces in order; a piece that turns out to be too long gets the vectors of its halves. */
  const embedPieces = (
    pieces: ReadonlyArray<Piece>,
    prefix: string
  ): Effect.Effect<ReadonlyArray<PieceVector>, AiError.AiError> =>
    model.embedMany(pieces.map((piece) => prefix + piece.text)).pipe(
      // effect/ai dies when a vector is not finite
      Effect.catchDefect((defect) =>
        defect instanceof Error && SchemaIssue.isIssue(defect.cause)
          ? Effect.fail(
              AiError.make({
                module: "EmbeddingModel",
                method: "embedMany",
                reason: new AiError.InvalidResponseError({
                  description: "the model gave a vector with something other than finite numbers"
                })
              })
            )
          : Effect.die(defect)
      ),
      Effect.map(({ embeddings }) =>
        pieces.map(({ index }, at) => ({ index, vector: embeddings[at]?.vector ?? [] }))
      ),
      Effect.catch((error) => {
        const [first, ...others] = pieces
        if (!isContextExceeded(error) || first === undefined) return Effect.fail(error)
        const parts: ReadonlyArray<ReadonlyArray<Piece>> =
          others.length > 0
            ? pieces.map((piece) => [piece])
            : first.text.length < shortest
              ? []
              : halve(first.text).map((text) => [{ index: first.index, text }])
        if (parts.length === 0) return Effect.fail(error)
        return Effect.map(
          Effect.forEach(parts, (part) => embedPieces(part, prefix)),
          (vectors) => vectors.flat()
        )
      })
    )

  const embed = Effect.fn("Embedder.embed")(function* (
    texts: ReadonlyArray<string>,
    role: EmbeddingRole
  ): Effect.fn.Return<Embeddings, EmbeddingError> {
    const prefix = options.prefixes[role]
    const budget = Math.max(shortest, options.contextTokens - specialTokens - cost(prefix))
    const pieces = texts.flatMap((text, index) =>
      isBlank(text)
        ? []
        : // a lone surrogate is not a character and would become several bytes of noise
          splitIntoWindows(text.toWellFormed(), budget, cost).map((window) => ({ index, text: window }))
    )
    const batches = batchPieces(pieces, options.batchSize, options.batchTokens, cost)
    const results = yield* Effect.forEach(batches, (batch) => calls.withPermit(embedPieces(batch, prefix)), {
      concurrency: options.concurrency
    }).pipe(Effect.mapError(toEmbeddingError))

    const vectors = new Float32Array(texts.length * dimensions)
    const row = (index: number) => vectors.subarray(index * dimensions, (index + 1) * dimensions)
    const windows = new Uint32Array(texts.length)
    for (const { index, vector } of results.flat()) {
      if (vector.length !== dimensions) {
        return yield* new EmbeddingError({
          embedder: options.name,
          message: `the model gave a vector of ${vector.length} numbers instead of ${dimensions}; if it was replaced, rebuild the index`,
          retryable: false
        })
      }
      addUnit(row(index), vector)
      windows[index] = (windows[index] ?? 0) + 1
    }
    const warnings = [...windows].flatMap((count, index) => {
      const warn = (message: string) => [{ index, message }]
      if (count === 0) return warn("blank text: not embedded")
      if (!normalize(row(index))) return warn("the model gave a vector without direction")
      return count === 1
        ? []
        : warn(
            `longer than the ${options.contextTokens} tokens of the model: embedded as the mean of ${count} windows`
          )
    })
    return { count: texts.length, dimensions, vectors, ...(warnings.length === 0 ? {} : { warnings }) }
  })

  return {
    name: options.name,
    dimensions,
    fingerprint: options.fingerprint,
    fusionWeight: options.fusionWeight,
    batchSize: options.batchSize,
    concurrency: options.concurrency,
    embed
  }
}
