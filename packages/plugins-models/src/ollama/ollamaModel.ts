import { definePlugin, estimateTokens, ModelContext } from "@omnirag/core/plugin"
import { Context, Effect, Layer, Ref, Schema } from "effect"
import { LanguageModel } from "effect/ai"
import { connect, connectionOptions, keepAliveOf } from "./connection.ts"
import { modelContextTokens } from "./modelContextTokens.ts"
import { makeOllamaLanguageModel } from "./OllamaLanguageModel.ts"

const integer = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

const Options = Schema.Struct({
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

/** The language model `ollama`: a chat model of an Ollama server. */
export const ollamaModel = definePlugin({
  kind: "languageModel",
  name: "ollama",
  description: "A chat model on an Ollama server",
  options: Options,
  layer: (options) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const { checker, client } = yield* connect("languageModel", options.model, options)
        const own = yield* Ref.make<number | undefined>(undefined)
        /**
         * Requested until the server has answered once. When the server cannot be reached, the answer fails, not this.
         */
        const ownTokens = Effect.flatMap(Ref.get(own), (known) =>
          known === undefined
            ? checker.show(options.model).pipe(
                Effect.map(modelContextTokens),
                Effect.tap((tokens) => Ref.set(own, tokens)),
                Effect.orElseSucceed(() => undefined)
              )
            : Effect.succeed(known)
        )
        const model = yield* makeOllamaLanguageModel(client, {
          model: options.model,
          concurrency: options.concurrency,
          keepAlive: keepAliveOf(options),
          think: options.think,
          parameters: {
            ...options.parameters,
            num_ctx: options.contextTokens,
            num_predict: options.answerTokens,
            temperature: options.temperature,
            seed: options.seed
          }
        })
        return Context.make(LanguageModel.LanguageModel, model).pipe(
          Context.add(
            ModelContext,
            ModelContext.of({
              model: options.model,
              contextTokens: options.contextTokens,
              ownTokens,
              reservedOutputTokens: options.answerTokens,
              estimateTokens
            })
          )
        )
      })
    )
})
