import { lsaEmbedder } from "./lsa/lsaEmbedder.ts"
import { crossEncoder } from "./onnx/crossEncoder.ts"
import { onnxEmbedder } from "./onnx/onnxEmbedder.ts"
import { ollamaEmbedder } from "./ollama/ollamaEmbedder.ts"
import { ollamaModel } from "./ollama/ollamaModel.ts"

/** The embedder plugins of this package. */
export const embedders = [lsaEmbedder, onnxEmbedder, ollamaEmbedder] as const

/** The reranker plugins of this package. */
export const rerankers = [crossEncoder] as const

/** The language model plugins of this package. */
export const languageModels = [ollamaModel] as const
