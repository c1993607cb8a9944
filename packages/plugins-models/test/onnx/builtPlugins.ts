import { HealthChecks } from "@omnirag/core/app"
import { Layer } from "effect"
import { crossEncoder } from "../../src/onnx/crossEncoder.ts"
import { onnxEmbedder } from "../../src/onnx/onnxEmbedder.ts"

/** The embedder `onnx` as a process has it, with health checks that nobody runs. */
export const buildEmbedder = (options: Record<string, unknown>) =>
  onnxEmbedder.build(options).pipe(Layer.provide(HealthChecks.layer))

/** The reranker `cross-encoder` in the same way. */
export const buildReranker = (options: Record<string, unknown>) =>
  crossEncoder.build(options).pipe(Layer.provide(HealthChecks.layer))
