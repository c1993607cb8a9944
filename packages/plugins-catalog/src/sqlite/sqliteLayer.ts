import { ArtifactStore, CatalogProvider, GenerationRegistry } from "@omnirag/core/plugin"
import { Layer } from "effect"
import { makeFolderArtifacts } from "../folder/FolderArtifacts.ts"
import { makeFolderRegistry } from "../folder/FolderRegistry.ts"
import type { SqliteCatalogOptions } from "./SqliteCatalogOptions.ts"
import { sqliteProvider } from "./sqliteProvider.ts"

/** Catalogs in SQLite files, and the registry and the artifacts in the data folder beside them. */
export const sqliteLayer = (options: SqliteCatalogOptions) =>
  Layer.mergeAll(
    Layer.effect(CatalogProvider, sqliteProvider(options)),
    Layer.effect(GenerationRegistry, makeFolderRegistry("folder")),
    Layer.effect(ArtifactStore, makeFolderArtifacts("folder"))
  )
