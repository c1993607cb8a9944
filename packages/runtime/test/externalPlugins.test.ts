import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { EmbeddingError, PluginError, type PluginKind, Retriever } from "@omnirag/core/app"
import { appLayer, kinds, loadSystem } from "@omnirag/runtime"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name)

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-plugins-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Starts the system of a configuration with these lines and asks it something. */
const start = (kind: PluginKind, lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const documents = join(folder, "documents")
    mkdirSync(documents)
    const file = join(folder, "omnirag.yaml")
    const configured = [
      `data: ${join(folder, "data")}`,
      `plugins: [${fixture(kind === "chunker" ? "incompleteChunker.js" : "incompletePlugins.js")}]`,
      ...(lines.some((line) => line.startsWith("sources:"))
        ? []
        : [`sources: [{ use: folder, options: { name: docs, path: ${documents} } }]`]),
      ...lines
    ]
    writeFileSync(file, configured.join("\n"))
    const { config, plugins } = yield* loadSystem(file, {})
    return yield* Retriever.use((retriever) => retriever.search({ query: "anything", topK: 1 })).pipe(
      Effect.provide(appLayer(config, plugins))
    )
  }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)

/** What selects the plugin, and the services that its layer lacks. */
const cases = [
  ["source", ["sources: [{ use: incomplete }]"], kinds.source.services],
  ["loader", ["loaders: [{ use: incomplete }]"], kinds.loader.services],
  ["chunker", ["chunker: { use: incomplete }"], kinds.chunker.services],
  ["vectorStore", ["vectorStore: { use: incomplete }"], kinds.vectorStore.services],
  // it provides the first of its three
  ["catalog", ["catalog: { use: incomplete }"], kinds.catalog.services.slice(1)],
  ["reranker", ["reranker: { use: incomplete }"], kinds.reranker.services],
  ["answers", ["answers: { use: incomplete }"], kinds.answers.services],
  ["languageModel", ["languageModel: { use: incomplete }"], kinds.languageModel.services]
] as const

const complaint = (kind: string, services: ReadonlyArray<{ readonly key: string }>): string =>
  `its layer does not provide ${services.map(({ key }) => key).join(" and ")}, which a ${kind} plugin is for; correct the plugin`

describe("an external plugin whose layer lacks a service of its kind", () => {
  for (const [kind, lines, missing] of cases) {
    it.effect(`is refused as a ${kind}, by the name of the service`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(start(kind, lines))
        assert.instanceOf(error, PluginError)
        assert.deepInclude(error, { kind, name: "incomplete", message: complaint(kind, missing) })
      })
    )
  }

  it.effect("is refused as an embedder when an index is opened with it, with the same reason", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(start("embedder", ["embedder: { use: incomplete }"]))
      assert.instanceOf(error, EmbeddingError)
      assert.isFalse(error.retryable)
      assert.strictEqual(error.message, complaint("embedder", kinds.embedder.services))
      assert.instanceOf(error.cause, PluginError)
    })
  )
})
