import { CatalogProvider, definePlugin } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { name, sqliteProvider } from "./sqliteProvider.ts"

export const SqliteCatalogOptions = Schema.Struct({
  headingWeight: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    Schema.withDecodingDefaultKey(Effect.succeed(2))
  ).annotate({
    description: "How much more a term counts in a heading or title than in the text, for lexical search"
  })
})
export type SqliteCatalogOptions = typeof SqliteCatalogOptions.Type

/** The catalog in one SQLite file with FTS5 for lexical search: nothing to install, readers in other processes. */
export const sqliteCatalog = definePlugin({
  kind: "catalog",
  name,
  description: "Documents, chunks and the lexical index in one SQLite file",
  options: SqliteCatalogOptions,
  layer: (options: SqliteCatalogOptions) => Layer.effect(CatalogProvider, sqliteProvider(options))
})
