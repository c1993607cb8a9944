import { Effect, Schema } from "effect"

/** Options of the catalog `sqlite`. */
export const SqliteCatalogOptions = Schema.Struct({
  headingWeight: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    Schema.withDecodingDefaultKey(Effect.succeed(2))
  ).annotate({
    description: "How much more a term counts in a heading or title than in the text, for lexical search"
  })
})
export type SqliteCatalogOptions = typeof SqliteCatalogOptions.Type
