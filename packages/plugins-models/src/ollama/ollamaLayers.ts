import { Layer } from "effect"
import { EmbeddingModel, LanguageModel, Model } from "effect/ai"
import type { OllamaClient } from "./OllamaClient.ts"
import { makeOllamaEmbeddingModel, type OllamaEmbeddingOptions } from "./OllamaEmbeddingModel.ts"
import { makeOllamaLanguageModel, type OllamaLanguageModelOptions } from "./OllamaLanguageModel.ts"

/** A chat model on an Ollama server as a `Model` of effect/ai: a layer with `LanguageModel` and the names of both. */
export const ollamaLanguageModel = (
  client: OllamaClient,
  options: OllamaLanguageModelOptions
): Model.Model<"ollama", LanguageModel.LanguageModel, never> =>
  Model.make(
    "ollama",
    options.model,
    Layer.effect(LanguageModel.LanguageModel, makeOllamaLanguageModel(client, options))
  )

/**
 * An embedding model on an Ollama server as a `Model` of effect/ai: a layer with `EmbeddingModel` and the names of
 * both. Its vectors are those of the server; `embedderFromModel` adds prefixes, windows and scaling to length 1.
 */
export const ollamaEmbeddingModel = (
  client: OllamaClient,
  options: OllamaEmbeddingOptions
): Model.Model<"ollama", EmbeddingModel.EmbeddingModel, never> =>
  Model.make(
    "ollama",
    options.model,
    Layer.effect(EmbeddingModel.EmbeddingModel, makeOllamaEmbeddingModel(client, options))
  )
