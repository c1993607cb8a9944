import { estimateTokens, ModelContext } from "@omnirag/core/plugin"
import { Context, Effect, Layer, Ref } from "effect"
import { LanguageModel } from "effect/ai"
import { connect, keepAliveOf } from "./connection.ts"
import { modelContextTokens } from "./modelContextTokens.ts"
import type { OllamaModelOptions } from "./OllamaModelOptions.ts"
import { makeOllamaLanguageModel } from "./OllamaLanguageModel.ts"

/** The language model `ollama` with these options. */
export const ollamaModelLayer = (options: OllamaModelOptions) =>
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
