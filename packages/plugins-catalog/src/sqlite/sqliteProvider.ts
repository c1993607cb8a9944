import { type Catalog, type CatalogProvider, type ChunkAnalysis, DataFolder } from "@omnirag/core/plugin"
import { Effect } from "effect"
import { check } from "./check.ts"
import { chunkCatalog } from "./chunkCatalog.ts"
import { documentCatalog } from "./documentCatalog.ts"
import { factStore } from "./factStore.ts"
import { lexicalIndex } from "./lexicalIndex.ts"
import { type Connections, openConnections } from "./openDatabase.ts"
import { outbox } from "./outbox.ts"
import { runHistory } from "./runHistory.ts"
import { seed } from "./seed.ts"
import { vectorCache } from "./vectorCache.ts"

/** The name of the services that the plugin provides. */
const name = "sqlite"

const catalogOn = (
  { database, writer }: Connections,
  analysis: ChunkAnalysis,
  headingWeight: number
): Catalog => ({
  name,
  documents: documentCatalog(database, writer, analysis),
  chunks: chunkCatalog(database),
  lexical: lexicalIndex(database, writer, analysis, headingWeight),
  cache: vectorCache(database, writer),
  outbox: outbox(database, writer),
  runs: runHistory(database, writer),
  facts: factStore(database, writer),
  check: check(database, writer, analysis)
})

/** Opens and seeds catalogs, each one file in the folder of its generation. */
export const sqliteProvider = ({ headingWeight }: { readonly headingWeight: number }) =>
  Effect.map(DataFolder, ({ of: folderOf }): CatalogProvider["Service"] => ({
    name,
    open: (generation, { analysis, readOnly = false }) =>
      Effect.map(openConnections(folderOf(generation), readOnly), (connections) =>
        catalogOn(connections, analysis, headingWeight)
      ),
    seed: (generation, { documents, from }) => seed(folderOf(generation), folderOf(from), documents)
  }))
