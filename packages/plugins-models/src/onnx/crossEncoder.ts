import { definePlugin, Reranker, RerankError } from "@omnirag/core/plugin"
import { Duration, Effect, Layer, RcRef, Schema } from "effect"
import { registerModelHealth } from "./modelHealth.ts"
import { modelOptions, optionalInt } from "./modelOptions.ts"
import { openModel } from "./openModel.ts"

const name = "cross-encoder"

/** Options of the reranker `cross-encoder` in the YAML file. */
export const CrossEncoderOptions = Schema.Struct({
  model: Schema.NonEmptyString.pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("Xenova/ms-marco-MiniLM-L-6-v2"))
  ).annotate({ description: "A model folder, or a hub name" }),
  ...modelOptions,
  candidateFactor: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
    Schema.withDecodingDefaultKey(Effect.succeed(3))
  ).annotate({ description: "Candidates scored for each hit that the request asks for" }),
  maxTokens: optionalInt(16, 32_768).annotate({
    description:
      "Greatest length of question and passage together, in tokens; longer passages are cut; null takes the model's own limit"
  })
})
export type CrossEncoderOptions = typeof CrossEncoderOptions.Type

const rerankError = (cause: { readonly message: string }) =>
  new RerankError({ reranker: name, message: cause.message, cause })

/**
 * A model that reads question and passage together. It is opened for the first question that needs it, or earlier by
 * the health check. When the model is missing, reranking fails for that question and the model is looked for again at
 * the next one. Since questions are answered without it, it does not make the system unready. The scores are the
 * model's logits.
 */
export const crossEncoder = definePlugin({
  kind: "reranker",
  name,
  description: "Reranks with an ONNX cross-encoder from a folder or the hub, on this machine's CPU",
  options: CrossEncoderOptions,
  layer: (options) =>
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
})
