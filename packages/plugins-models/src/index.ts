import { crossEncoder } from "./onnx/crossEncoder.ts"
import { onnxEmbedder } from "./onnx/onnxEmbedder.ts"

export const embedders = [onnxEmbedder] as const
export const rerankers = [crossEncoder] as const
export const languageModels = [] as const
