import { Reranker, RerankError } from "@omnirag/core/plugin"
import { Duration, Effect, Layer, RcRef } from "effect"
import { registerModelHealth } from "./modelHealth.ts"
import type { CrossEncoderOptions } from "./CrossEncoderOptions.ts"
import { openModel } from "./openModel.ts"

const name = "cross-encoder"

const rerankError = (cause: { readonly message: string }) =>
  new RerankError({ reranker: name, message: cause.message, cause })

/**
 * A model that reads question and passage together. It is opened for the first question that needs it, or earlier by
 * the health check. When the model is missing, reranking fails for that question and the model is looked for again at
 * the next one. Since questions are answered without it, it does not make the system unready. The scores are the
 * model's logits.
 */
export const crossEncoderLayer = (options: CrossEncoderOptions) =>
  Layer.effect(
    Reranker,
    Effect.gen(function* () {
      const shared = yield* RcRef.make({
        acquire: openModel("score", options, { pooling: "cls", overlap: 0, prefixes: [] }),
        idleTimeToLive: Duration.infinity
      })
      yield* registerModelHealth("onnx reranker", options, RcRef.get(shared), { optional: true })
      const score = Effect.fn("CrossEncoder.score")(
        function* (question: string, texts: ReadonlyArray<string>) {
          if (texts.length === 0) return []
          const { pool } = yield* RcRef.get(shared)
          const { numbers } = yield* pool.run({ context: question, texts })
          return Array.from(numbers)
        },
        Effect.scoped,
        Effect.mapError(rerankError)
      )
      return { name, candidateFactor: options.candidateFactor, score }
    })
  )
