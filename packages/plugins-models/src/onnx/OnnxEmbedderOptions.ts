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
        "How token vectors become one vector; null takes the setting in 1_Pooling/config.json, or else the one of the model's family"
    }),
  queryPrefix: optionalText.annotate({
    description: "Text before each question; null takes the prefix of the model's family"
  }),
  documentPrefix: optionalText.annotate({
    description: "Text before each passage; null takes the prefix of the model's family"
  }),
  maxTokens: optionalInt(8, 32_768).annotate({
    description:
      "Longest text in tokens; longer texts are split into windows; null takes the model's own limit"
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
