import { definePlugin } from "@omnirag/core/plugin"
import { OnnxEmbedderOptions } from "./OnnxEmbedderOptions.ts"

/** Sentence embedding models in ONNX form, run in separate processes on this machine. */
export const onnxEmbedder = definePlugin({
  kind: "embedder",
  name: "onnx",
  description: "Embeds with an ONNX model from a folder or the hub, in processes on this machine's CPU",
  options: OnnxEmbedderOptions,
  load: () => import("./onnxLayer.ts").then(({ onnxLayer }) => onnxLayer)
})
