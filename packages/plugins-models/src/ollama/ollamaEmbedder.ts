import {
  definePlugin,
  type Embedder,
  EmbedderProvider,
  EmbeddingError,
  estimateTokens,
  failureText,
  textHash
} from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import type { EmbeddingModel } from "effect/ai"
import { type Connection, connect, connectionOptions, keepAliveOf } from "./connection.ts"
import { embedderFromModel } from "./embedderFromModel.ts"
import { modelContextTokens } from "./modelContextTokens.ts"
import { makeOllamaEmbeddingModel } from "./OllamaEmbeddingModel.ts"
import type { OllamaError } from "./OllamaError.ts"
import { prefixesFor } from "./prefixes.ts"

const integer = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

const Options = Schema.Struct({
  ...connectionOptions,
  model: Schema.NonEmptyString.pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("nomic-embed-text"))
  ).annotate({ description: "Name of the model, as in `ollama pull`" }),
  dimensions: Schema.optionalKey(integer(1, 65_536)).annotate({
    description: "Shortens the vectors of models that allow it; the model's own length when absent"
  }),
  contextTokens: Schema.optionalKey(integer(64, 1_048_576)).annotate({
    description: "Longest text in tokens; longer ones are split. The model's own, 8192 at most, when absent"
  }),
  prefixes: Schema.optionalKey(Schema.Struct({ query: Schema.String, document: Schema.String })).annotate({
    description:
      "What is put before a question and before a passage; the prefixes of the model's family when absent"
  }),
  batchSize: integer(1, 2048)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(32)))
    .annotate({ description: "Most texts in one call" }),
  batchTokens: integer(64, 10_000_000)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(16_384)))
    .annotate({ description: "Most tokens in one call, estimated" }),
  concurrency: integer(1, 64)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(2)))
    .annotate({ description: "Calls at the same time" }),
  fusionWeight: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    Schema.withDecodingDefaultKey(Effect.succeed(0.5))
  ).annotate({ description: "Weight of the vectors in hybrid search when retrieval.vectorWeight is null" })
})
type Options = typeof Options.Type

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
  options: Options
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

/** The embedder `ollama`: a model of an Ollama server. */
export const ollamaEmbedder = definePlugin({
  kind: "embedder",
  name: "ollama",
  description: "Vectors of an embedding model on an Ollama server",
  options: Options,
  layer: (options) =>
    Layer.effect(
      EmbedderProvider,
      Effect.map(connect("embedder", options.model, options), (connection) =>
        EmbedderProvider.of({ name: "ollama", load: () => Effect.asSome(load(connection, options)) })
      )
    )
})
