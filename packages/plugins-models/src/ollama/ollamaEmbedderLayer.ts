import {
  type Embedder,
  EmbedderProvider,
  EmbeddingError,
  estimateTokens,
  failureText,
  textHash
} from "@omnirag/core/plugin"
import { Effect, Layer } from "effect"
import type { EmbeddingModel } from "effect/ai"
import { type Connection, connect, keepAliveOf } from "./connection.ts"
import { embedderFromModel } from "./embedderFromModel.ts"
import { modelContextTokens } from "./modelContextTokens.ts"
import { makeOllamaEmbeddingModel } from "./OllamaEmbeddingModel.ts"
import type { OllamaError } from "./OllamaError.ts"
import type { OllamaEmbedderOptions } from "./OllamaEmbedderOptions.ts"
import { prefixesFor } from "./prefixes.ts"

/** Assumed context of a model that does not state it, in tokens. */
const unknownContext = 2048
/** Largest context used without configuration; more must be configured, since it costs memory. */
const largestContext = 8192

const fromOllama = (error: OllamaError) =>
  new EmbeddingError({ embedder: "ollama", message: error.message, retryable: error.retryable, cause: error })

const similarity = (left: ReadonlyArray<number>, right: ReadonlyArray<number>): number => {
  const dot = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
  return dot / (Math.hypot(...left) * Math.hypot(...right))
}

const probes = ["the first of two short texts", "etwas ganz anderes: 42"]

/**
 * Embeds two texts together and the second one alone. Returns the length of the vectors, and fails when a batch does
 * not come back in order.
 */
const probe = Effect.fn("ollama.probe")(function* (
  model: EmbeddingModel.EmbeddingModel
): Effect.fn.Return<number, EmbeddingError> {
  const failed = (message: string) => new EmbeddingError({ embedder: "ollama", message, retryable: false })
  const [together, alone] = yield* Effect.all([
    model.embedMany(probes),
    model.embedMany(probes.slice(1))
  ]).pipe(
    Effect.mapError(
      (error) =>
        new EmbeddingError({
          embedder: "ollama",
          message: failureText(error),
          retryable: error.reason.isRetryable,
          cause: error
        })
    )
  )
  const [first, second] = together.embeddings
  const single = alone.embeddings[0]
  if (first === undefined || second === undefined || single === undefined)
    return yield* failed("no vector came back")
  // a text has nearly the same vector alone and in a batch; the margin is much larger than that difference
  if (similarity(single.vector, first.vector) > similarity(single.vector, second.vector) + 0.001) {
    return yield* failed("the server does not give the vectors of a batch in the order of its texts")
  }
  return single.vector.length
})

/** The embedder with the model that the server has now. */
const load = Effect.fn("ollama.load")(function* (
  { checker, client }: Connection,
  options: OllamaEmbedderOptions
): Effect.fn.Return<Embedder, EmbeddingError> {
  const digest = yield* Effect.mapError(client.digest(options.model), fromOllama)
  const shown = yield* Effect.mapError(client.show(options.model), fromOllama)
  const contextTokens =
    options.contextTokens ?? Math.min(modelContextTokens(shown) ?? unknownContext, largestContext)
  const prefixes = options.prefixes ?? prefixesFor(options.model)
  const model = yield* makeOllamaEmbeddingModel(client, {
    model: options.model,
    contextTokens,
    dimensions: options.dimensions,
    keepAlive: keepAliveOf(options)
  })
  const dimensions = yield* probe(model)
  const fingerprintOf = (ofModel: string) => {
    const identity = JSON.stringify([ofModel, dimensions, prefixes.query, prefixes.document, contextTokens])
    return `ollama:${options.model}:${dimensions}:${textHash(identity).slice(0, 12)}`
  }
  const embedder = embedderFromModel(model, {
    name: "ollama",
    dimensions,
    fingerprint: fingerprintOf(digest),
    fusionWeight: options.fusionWeight,
    batchSize: options.batchSize,
    batchTokens: options.batchTokens,
    concurrency: options.concurrency,
    contextTokens,
    prefixes,
    estimateTokens
  })
  const currentFingerprint = checker.digest(options.model).pipe(
    // a server that cannot be reached says nothing about its models
    Effect.orElseSucceed(() => digest),
    Effect.map(fingerprintOf)
  )
  return { ...embedder, currentFingerprint }
})

/** The embedder `ollama` with these options. */
export const ollamaEmbedderLayer = (options: OllamaEmbedderOptions) =>
  Layer.effect(
    EmbedderProvider,
    Effect.map(connect("embedder", options.model, options), (connection) =>
      EmbedderProvider.of({ name: "ollama", load: () => Effect.asSome(load(connection, options)) })
    )
  )
