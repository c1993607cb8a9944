import { Effect, Schema } from "effect"
import { connectionOptions } from "./connectionOptions.ts"

const integer = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

/** Options of the language model `ollama` in the YAML file. */
export const OllamaModelOptions = Schema.Struct({
  ...connectionOptions,
  model: Schema.NonEmptyString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("llama3"))).annotate({
    description: "Name of the model, as in `ollama pull`"
  }),
  contextTokens: integer(256, 1_048_576)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(8192)))
    .annotate({ description: "Tokens of prompt and answer together (num_ctx)" }),
  answerTokens: integer(16, 1_048_576)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1024)))
    .annotate({ description: "Most tokens of an answer (num_predict); kept free in the context" }),
  temperature: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
    Schema.withDecodingDefaultKey(Effect.succeed(0))
  ).annotate({ description: "0 always gives the most likely answer" }),
  seed: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))).annotate({
    description: "Seed of the random numbers, used when the temperature is above 0"
  }),
  think: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether a model that can show its thinking does so; thoughts never become part of an answer"
  }),
  parameters: Schema.Record(Schema.String, Schema.Unknown)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
    .annotate({ description: "More options of Ollama's API, passed on unchanged: top_p, num_thread…" }),
  concurrency: integer(1, 1024)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(16)))
    .annotate({ description: "Answers written at the same time; more have to wait" })
}).pipe(
  Schema.check(
    Schema.makeFilter(
      (options) =>
        options.answerTokens * 2 <= options.contextTokens ||
        "answerTokens may be half of contextTokens at most: the prompt has to fit in as well"
    )
  )
)
export type OllamaModelOptions = typeof OllamaModelOptions.Type
