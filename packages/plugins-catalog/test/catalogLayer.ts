import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  type Catalog,
  CatalogProvider,
  chunkAnalysis,
  DataFolder,
  type GenerationRef
} from "@omnirag/core/app"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sqliteCatalog } from "../src/index.ts"
import { dataFolderAt } from "./dataFolderAt.ts"

/** A folder of its own for one test, removed afterwards. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-catalog-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A data folder of its own for one test, removed afterwards. */
export const temporaryDataFolder = Layer.effect(DataFolder, Effect.map(temporaryFolder, dataFolderAt))

const plugin = sqliteCatalog.build({}).pipe(Layer.provide(NodeServices.layer))

/** The plugin in a data folder of its own. */
export const layer = plugin.pipe(Layer.provideMerge(temporaryDataFolder))

/** The plugin in the data folder at this path. */
export const layerIn = (path: string) =>
  plugin.pipe(Layer.provideMerge(Layer.succeed(DataFolder, dataFolderAt(path))))

/** A generation that no other test has, and where its catalog is. */
export const newGeneration = Effect.map(DataFolder, ({ of }) => {
  const generation: GenerationRef = { index: randomBytes(4).toString("hex"), id: "g-000001" }
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
