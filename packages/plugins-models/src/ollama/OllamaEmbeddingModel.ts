import { Effect, Predicate } from "effect"
import { type AiError, EmbeddingModel } from "effect/ai"
import type { EmbedRequest } from "ollama/browser"
import type { OllamaClient } from "./OllamaClient.ts"
import { OllamaError, toAiError } from "./OllamaError.ts"

export interface OllamaEmbeddingOptions {
  readonly model: string
  /** Tokens of the longest text; sent to the server, so that both use the same limit. */
  readonly contextTokens: number
  /** Shortens the vectors of models that were trained for it. */
  readonly dimensions: number | undefined
  readonly keepAlive: string | number | undefined
}

const isVector = (value: unknown): value is Array<number> =>
  Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number))

/** The vectors, after a check: one for each input, all of the same length, finite. */
const checkVectors = (
  vectors: ReadonlyArray<unknown>,
  inputs: number,
  dimensions: number | undefined
): Effect.Effect<Array<Array<number>>, OllamaError> => {
  const wrong = (message: string) =>
    Effect.fail(new OllamaError({ reason: "protocol", message: `Ollama gave ${message}` }))
  if (vectors.length !== inputs) return wrong(`${vectors.length} vectors for ${inputs} texts`)
  if (!vectors.every(isVector)) {
    return wrong(
      `a vector that is empty or holds something other than finite numbers, for text ${vectors.findIndex(Predicate.not(isVector))}`
    )
  }
  const expected = dimensions ?? vectors[0]?.length ?? 0
  const other = vectors.find((vector) => vector.length !== expected)
  return other === undefined
    ? Effect.succeed([...vectors])
    : wrong(`a vector of ${other.length} numbers instead of ${expected}`)
}

/**
 * An `EmbeddingModel` of effect/ai on `/api/embed`. Texts are sent unchanged, all texts of a call in one request. The
 * server never truncates them: a text that is too long makes the call fail.
 */
export const makeOllamaEmbeddingModel = (
  client: OllamaClient,
  options: OllamaEmbeddingOptions
): Effect.Effect<EmbeddingModel.EmbeddingModel> => {
  const embedMany = Effect.fnUntraced(
    function* ({ inputs }: EmbeddingModel.ProviderOptions) {
      const request: EmbedRequest = {
        model: options.model,
        input: [...inputs],
        truncate: false,
        options: { num_ctx: options.contextTokens },
        ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
        ...(options.keepAlive === undefined ? {} : { keep_alive: options.keepAlive })
      }
      const { embeddings, tokens } = yield* client.embed(request)
      const results = yield* checkVectors(embeddings, inputs.length, options.dimensions)
      return { results, usage: { inputTokens: tokens } }
    },
    (effect): Effect.Effect<EmbeddingModel.ProviderResponse, AiError.AiError> =>
      Effect.mapError(effect, toAiError("embedMany", client.url))
  )
  return EmbeddingModel.make({ embedMany })
}
