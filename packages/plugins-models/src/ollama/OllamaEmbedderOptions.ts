import { Effect, Schema } from "effect"
import { connectionOptions } from "./connectionOptions.ts"

const integer = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

/** Options of the embedder `ollama` in the YAML file. */
export const OllamaEmbedderOptions = Schema.Struct({
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
export type OllamaEmbedderOptions = typeof OllamaEmbedderOptions.Type
