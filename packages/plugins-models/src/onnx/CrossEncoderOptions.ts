import { Effect, Schema } from "effect"
import { modelOptions, optionalInt } from "./modelOptions.ts"

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
