import { ArtifactStore, CatalogProvider, definePlugin, GenerationRegistry } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { makeFolderArtifacts } from "../folder/FolderArtifacts.ts"
import { makeFolderRegistry } from "../folder/FolderRegistry.ts"
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

/**
 * The catalog of each generation in one SQLite file with FTS5 for lexical search, and the registry and the artifacts in the
 * data folder beside it: nothing to install, readers in other processes.
 */
export const sqliteCatalog = definePlugin({
  kind: "catalog",
  name,
  description: "Documents, chunks and the lexical index in one SQLite file",
  options: SqliteCatalogOptions,
  layer: (options: SqliteCatalogOptions) =>
    Layer.mergeAll(
      Layer.effect(CatalogProvider, sqliteProvider(options)),
      Layer.effect(GenerationRegistry, makeFolderRegistry("folder")),
      Layer.effect(ArtifactStore, makeFolderArtifacts("folder"))
    )
})
