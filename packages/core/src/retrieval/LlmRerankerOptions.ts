import { Effect, Schema } from "effect"

/** Tokens of a passage; one that would get less is left out of the comparison. */
export const leastPassageTokens = 24

/** Options of the reranker `llm` in the YAML file. */
export const LlmRerankerOptions = Schema.Struct({
  candidateFactor: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
    Schema.withDecodingDefaultKey(Effect.succeed(3))
  ).annotate({ description: "Candidates it compares for each hit asked for" }),
  passageTokens: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: leastPassageTokens, maximum: 4096 })),
    Schema.withDecodingDefaultKey(Effect.succeed(300))
  ).annotate({ description: "Tokens of each passage the model sees, at most" })
})
export type LlmRerankerOptions = typeof LlmRerankerOptions.Type
