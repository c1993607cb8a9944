/** For plugins that bring another provider of effect/ai, or use Ollama without a configuration. */
export { embedderFromModel, type ModelEmbedderOptions } from "./embedderFromModel.ts"
export { makeOllamaClient, type OllamaClient, type OllamaClientOptions } from "./OllamaClient.ts"
export { makeOllamaEmbeddingModel, type OllamaEmbeddingOptions } from "./OllamaEmbeddingModel.ts"
export { makeOllamaLanguageModel, type OllamaLanguageModelOptions } from "./OllamaLanguageModel.ts"
export { ollamaEmbeddingModel, ollamaLanguageModel } from "./ollamaLayers.ts"
