import {
  type Catalog,
  CatalogProvider,
  chunkAnalysis,
  DataFolder,
  type GenerationRef
} from "@omnirag/core/app"
import { freshIndex } from "@omnirag/core/testing"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sqliteCatalog } from "../src/index.ts"

/** A data folder at this path, with a folder for each index and in it one for each generation. */
export const dataFolderAt = (path: string): DataFolder["Service"] => ({
  path,
  of: ({ id, index }) => join(path, index, id)
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-catalog-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A data folder of its own for one test, removed afterwards. */
export const temporaryDataFolder = Layer.effect(DataFolder, Effect.map(temporaryFolder, dataFolderAt))

/** The plugin in a data folder of its own. */
export const layer = sqliteCatalog.build({}).pipe(Layer.provideMerge(temporaryDataFolder))

/** The plugin in the data folder at this path. */
export const layerIn = (path: string) =>
  sqliteCatalog.build({}).pipe(Layer.provideMerge(Layer.succeed(DataFolder, dataFolderAt(path))))

/** A generation that no other test has, and where its catalog is. */
export const newGeneration = Effect.map(DataFolder, ({ of }) => {
  const generation: GenerationRef = { index: freshIndex(), id: "g-000001" }
  const folder = of(generation)
  return { generation, folder, file: join(folder, "catalog.sqlite") }
})

/** Opens the catalog of the generation with the analysis in use. */
export const openCatalog = (generation: GenerationRef, options: { readonly readOnly?: boolean } = {}) =>
  Effect.flatMap(CatalogProvider, (provider) =>
    provider.open(generation, { analysis: chunkAnalysis, ...options })
  )

/** Opens the catalog of the generation, uses it and closes it. */
export const withCatalog = <A, E, R>(
  generation: GenerationRef,
  use: (catalog: Catalog) => Effect.Effect<A, E, R>
) => Effect.scoped(Effect.flatMap(openCatalog(generation), use))
