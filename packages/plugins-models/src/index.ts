import { lsaEmbedder } from "./lsa/lsaEmbedder.ts"
import { crossEncoder } from "./onnx/crossEncoder.ts"
import { onnxEmbedder } from "./onnx/onnxEmbedder.ts"
import { ollamaEmbedder } from "./ollama/ollamaEmbedder.ts"
import { ollamaModel } from "./ollama/ollamaModel.ts"

export const embedders = [lsaEmbedder, onnxEmbedder, ollamaEmbedder] as const
export const rerankers = [crossEncoder] as const
export const languageModels = [ollamaModel] as const

// for plugins with another provider of effect/ai, and for programs that use these models without a configuration
export { embedderFromModel, type ModelEmbedderOptions } from "./ollama/embedderFromModel.ts"
export { makeOllamaClient, type OllamaClient, type OllamaClientOptions } from "./ollama/OllamaClient.ts"
export { makeOllamaEmbeddingModel, type OllamaEmbeddingOptions } from "./ollama/OllamaEmbeddingModel.ts"
export { makeOllamaLanguageModel, type OllamaLanguageModelOptions } from "./ollama/OllamaLanguageModel.ts"
export { ollamaEmbeddingModel, ollamaLanguageModel } from "./ollama/ollamaLayers.ts"
