import { Effect, Layer, Stream } from "effect"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import { ModelContext } from "../ports/ModelContext.ts"

const missing = new AiError.AiError({
  module: "OmniRAG",
  method: "languageModel",
  reason: new AiError.InvalidRequestError({
    description: "no language model is configured; name one under `languageModel:`"
  })
})

/** Used when the configuration names no language model: parts that need one fail and say what to configure. */
export const unavailableLanguageModel = Layer.merge(
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({ generateText: () => Effect.fail(missing), streamText: () => Stream.fail(missing) })
  ),
  Layer.succeed(ModelContext, {
    model: "none",
    contextTokens: 4_096,
    reservedOutputTokens: 512,
    estimateTokens: (text) => text.length
  })
)
