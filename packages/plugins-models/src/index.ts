import { lsaEmbedder } from "./lsa/lsaEmbedder.ts"
import { crossEncoder } from "./onnx/crossEncoder.ts"
import { onnxEmbedder } from "./onnx/onnxEmbedder.ts"
import { ollamaEmbedder } from "./ollama/ollamaEmbedder.ts"
import { ollamaModel } from "./ollama/ollamaModel.ts"

export const embedders = [lsaEmbedder, onnxEmbedder, ollamaEmbedder] as const
export const rerankers = [crossEncoder] as const
export const languageModels = [ollamaModel] as const
