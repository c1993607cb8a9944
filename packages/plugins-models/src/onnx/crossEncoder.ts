import { definePlugin } from "@omnirag/core/plugin"
import { CrossEncoderOptions } from "./CrossEncoderOptions.ts"

/** The reranker `cross-encoder`: a model that reads question and passage together. */
export const crossEncoder = definePlugin({
  kind: "reranker",
  name: "cross-encoder",
  description: "Reranks with an ONNX cross-encoder from a folder or the hub, on this machine's CPU",
  options: CrossEncoderOptions,
  load: () => import("./crossEncoderLayer.ts").then(({ crossEncoderLayer }) => crossEncoderLayer)
})
