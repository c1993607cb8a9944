import { Effect, Layer, Stream } from "effect"
import { AiError, LanguageModel, type Response } from "effect/ai"
import { estimateTokens } from "../../src/prompting/contextBudget.ts"
import { ModelContext } from "../../src/ports/ModelContext.ts"

/** What the model is asked. */
export interface Asked {
  readonly system: string
  readonly user: string
}

/** What it answers: pieces of text, and how it ends. */
export interface Script {
  readonly pieces: ReadonlyArray<string>
  readonly inputTokens?: number
  readonly end?: "stop" | "length" | "content-filter" | "error" | "nothing" | AiError.AiError
  /** What a part of the stream reports as an error, before the end. */
  readonly reports?: unknown
}

export const contextExceeded = AiError.make({
  module: "Scripted",
  method: "streamText",
  reason: new AiError.InvalidRequestError({ constraint: "contextLength", description: "too long" })
})
export const stalled = AiError.make({
  module: "Scripted",
  method: "streamText",
  reason: new AiError.NetworkError({
    reason: "TransportError",
    method: "POST",
    url: "http://model",
    description: "the model stopped in the middle of an answer"
  })
})

/** A model that answers each question by a function of what it is asked. */
export const scriptedModel = (
  answer: (asked: Asked) => Script,
  contextTokens = 4096,
  ownTokens?: Effect.Effect<number | undefined>
): Layer.Layer<LanguageModel.LanguageModel | ModelContext> => {
  const script = ({ prompt }: LanguageModel.ProviderOptions): Script => {
    const texts = prompt.content.map((message) =>
      typeof message.content === "string"
        ? message.content
        : message.content.map((part) => (part.type === "text" ? part.text : "")).join("")
    )
    return answer({ system: texts[0] ?? "", user: texts[1] ?? "" })
  }
  const finish = (reason: "stop" | "length" | "content-filter" | "error", total: number) => ({
    type: "finish" as const,
    reason,
    usage: {
      inputTokens: { total, uncached: total, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 3, text: 3, reasoning: undefined }
    }
  })
  return Layer.merge(
    Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: (options) => {
          const { pieces, end = "stop", inputTokens = 7 } = script(options)
          if (typeof end !== "string") return Effect.fail(end)
          return Effect.succeed([
            { type: "text", text: pieces.join("") },
            ...(end === "nothing" ? [] : [finish(end, inputTokens)])
          ])
        },
        streamText: (options) => {
          const { pieces, end = "stop", inputTokens = 7, reports } = script(options)
          const deltas: ReadonlyArray<Response.StreamPartEncoded> = pieces.map((delta) => ({
            type: "text-delta",
            id: "1",
            delta
          }))
          const rest: Stream.Stream<Response.StreamPartEncoded, AiError.AiError> =
            typeof end !== "string"
              ? Stream.fail(end)
              : end === "nothing"
                ? Stream.empty
                : Stream.succeed(finish(end, inputTokens))
          const errors: ReadonlyArray<Response.StreamPartEncoded> =
            reports === undefined ? [] : [{ type: "error", error: reports }]
          return Stream.concat(Stream.fromIterable([...deltas, ...errors]), rest)
        }
      })
    ),
    Layer.succeed(ModelContext, {
      model: "scripted",
      contextTokens,
      ...(ownTokens === undefined ? {} : { ownTokens }),
      reservedOutputTokens: 512,
      estimateTokens
    })
  )
}
