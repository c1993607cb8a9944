import { Effect, Schema } from "effect"

/** Options of the answer generator `extractive` in the YAML file. */
export const ExtractiveOptions = Schema.Struct({
  sentences: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
    Schema.withDecodingDefaultKey(Effect.succeed(3))
  ).annotate({ description: "Most places an answer quotes: sentences, list items, table rows, code" })
})
export type ExtractiveOptions = typeof ExtractiveOptions.Type
