import {
  type AppError,
  chunkIds,
  GenerationReader,
  indexCounts,
  Indexer,
  type IndexRun,
  Retriever,
  type SearchRequest,
  storeIds
} from "@omnirag/core/app"
import { builtInPlugins, type PluginSet } from "@omnirag/runtime"
import { Effect, type Scope, Stream } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type EmbedderProbe, makeProbe, testEmbedder } from "./TestEmbedder.ts"
import { type SystemServices, withSystem } from "./withSystem.ts"

/** A folder of the test's own, removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-test-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Files on disk that a test writes, moves and removes. */
export class Corpus {
  readonly root: string
  constructor(root: string) {
    this.root = root
    mkdirSync(root, { recursive: true })
  }
  write(path: string, text: string | Uint8Array): void {
    const file = join(this.root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true })
  }
}

export interface TestWorld {
  readonly folder: string
  readonly data: string
  readonly corpus: Corpus
  readonly probe: EmbedderProbe
  /** Name of the one source. */
  readonly source: string
  /** Further entries of `sources:`, one line of YAML each. */
  moreSources: ReadonlyArray<string>
  /** Changes the plugins that the next `open` builds from. */
  plugins: PluginSet
}

/** A corpus, a data folder and an embedder to look into. */
export const makeWorld = Effect.map(temporaryFolder, (folder): TestWorld => {
  const probe = makeProbe()
  return {
    folder,
    data: join(folder, "data"),
    corpus: new Corpus(join(folder, "corpus")),
    probe,
    source: "docs",
    moreSources: [],
    plugins: { ...builtInPlugins, embedder: [...builtInPlugins.embedder, testEmbedder(probe)] }
  }
})

/** The configuration of a world: one folder, the test embedder, the exact store; `more` is added as YAML. */
export const configOf = (world: TestWorld, more = ""): string => `
data: ${world.data}
sources:
  - use: folder
    options: { name: ${world.source}, path: ${world.corpus.root} }
${world.moreSources.map((source) => `  - ${source}\n`).join("")}
${more.includes("embedder:") ? "" : "embedder: { use: test }"}
${more.includes("vectorStore:") ? "" : "vectorStore: { use: exact }"}
${more}
`

/** The whole system of a world, as the process would build it; leaves everything closed behind. */
export const inSystem = <A, E>(
  world: TestWorld,
  use: Effect.Effect<A, E, SystemServices | Scope.Scope>,
  more?: string
): Effect.Effect<A, E | AppError> => withSystem(configOf(world, more), world.plugins, use)

export const runIndex = (
  options: Parameters<Indexer["Service"]["run"]>[0] = {}
): Effect.Effect<IndexRun, AppError, Indexer> => Indexer.use((indexer) => indexer.run(options))

/** Paths of the documents found, best first. */
export const searchPaths = (query: string, request: Partial<SearchRequest> = {}) =>
  Retriever.use((retriever) => retriever.search({ query, topK: 10, ...request })).pipe(
    Effect.map(({ hits }) => hits.map((hit) => hit.path))
  )

/** What the catalog and the vector store hold. */
export const contents = Effect.gen(function* () {
  const reader = yield* GenerationReader
  const { catalog, vectors } = yield* reader.live
  return {
    chunkIds: yield* Stream.runCollect(chunkIds(catalog)),
    storeIds: vectors === null ? [] : yield* Stream.runCollect(storeIds(vectors.store)),
    counts: yield* indexCounts(catalog)
  }
})
