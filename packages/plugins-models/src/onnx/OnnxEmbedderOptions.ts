import { Effect, Schema } from "effect"
import { modelOptions, optionalInt, optionalText } from "./modelOptions.ts"

/** Options of the embedder `onnx` in the YAML file. */
export const OnnxEmbedderOptions = Schema.Struct({
  model: Schema.NonEmptyString.annotate({
    description: "A model folder, or a hub name such as Xenova/all-MiniLM-L6-v2"
  }),
  ...modelOptions,
  pooling: Schema.NullOr(Schema.Literals(["mean", "cls"]))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
    .annotate({
      description:
        "How token vectors become one; null takes the model's own 1_Pooling/config.json, else its family's"
    }),
  queryPrefix: optionalText.annotate({ description: "Put before questions; null takes the family's" }),
  documentPrefix: optionalText.annotate({ description: "Put before passages; null takes the family's" }),
  maxTokens: optionalInt(8, 32_768).annotate({
    description:
      "Longest text in tokens, longer ones are split into windows; null takes the model's own limit"
  }),
  overlap: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 4096 })),
    Schema.withDecodingDefaultKey(Effect.succeed(32))
  ).annotate({ description: "Tokens that neighbouring windows share" }),
  fusionWeight: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    Schema.withDecodingDefaultKey(Effect.succeed(0.5))
  ).annotate({ description: "Weight of the vector list in hybrid fusion" })
})
export type OnnxEmbedderOptions = typeof OnnxEmbedderOptions.Type
