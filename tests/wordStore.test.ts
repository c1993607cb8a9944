import { assert, describe, it } from "@effect/vitest"
import {
  type AppError,
  CatalogProvider,
  definePlugin,
  GenerationReader,
  IndexVerifier,
  ArtifactStore,
  GenerationRegistry,
  PluginError,
  Retriever,
  selectPlugin
} from "@omnirag/core/app"
import { builtInPlugins } from "@omnirag/runtime"
import { inSystem, makeWorld, runIndex, searchPaths, type TestWorld } from "@omnirag/testkit/TestSystem"
import type { WordIndex } from "@omnirag/testkit/WordIndex"
import { wordStore } from "@omnirag/testkit/wordStore"
import { Effect, Layer, Schema } from "effect"

/** The catalog `sqlite` without its word index, by the name `wordless`: words can only come from the store. */
const wordlessCatalog = definePlugin({
  kind: "catalog",
  name: "wordless",
  description: "Has no word index; for tests",
  options: Schema.Struct({}),
  layer: () =>
    Layer.mergeAll(
      Layer.effect(
        CatalogProvider,
        Effect.map(CatalogProvider, (sqlite) => ({
          ...sqlite,
          open: (generation, options) =>
            Effect.map(sqlite.open(generation, options), (catalog) => ({ ...catalog, lexical: null }))
        }))
      ),
      Layer.effect(ArtifactStore, ArtifactStore),
      Layer.effect(GenerationRegistry, GenerationRegistry)
    ).pipe(Layer.provide(selectPlugin("catalog", builtInPlugins.catalog, { use: "sqlite", options: {} })))
})

const fromStore = "retrieval: { lexical: vectorStore }"
const wordless = `catalog: { use: wordless }\nvectorStore: { use: words }\n${fromStore}`

const makeWordWorld = (indexes?: Map<string, WordIndex>) =>
  Effect.map(makeWorld, (world): TestWorld => {
    world.corpus.write("zoo/walrus.md", "# Walrus\n\nThe walrus sleeps on the ice.\n")
    world.corpus.write("zoo/otter.md", "# Otter\n\nThe otter holds a shell.\n")
    world.corpus.write("farm/goat.md", "# Goat\n\nThe goat eats the walrus poster.\n")
    return {
      ...world,
      plugins: {
        ...world.plugins,
        catalog: [...world.plugins.catalog, wordlessCatalog],
        vectorStore: [...world.plugins.vectorStore, wordStore(indexes)]
      }
    }
  })

const lexical = (query: string) => searchPaths(query, { mode: "lexical" })

describe("words out of the vector store", () => {
  it.effect("are searched by lexical and hybrid search, over a catalog that has none", () =>
    Effect.gen(function* () {
      const indexes = new Map<string, WordIndex>()
      const world = yield* makeWordWorld(indexes)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          assert.strictEqual((yield* runIndex()).status, "succeeded")
          assert.deepStrictEqual(yield* lexical("walrus"), ["zoo/walrus.md", "farm/goat.md"])
          const hybrid = yield* Retriever.use((retriever) => retriever.search({ query: "walrus", topK: 3 }))
          assert.strictEqual(hybrid.mode, "hybrid")
          const [best] = hybrid.hits
          assert(best !== undefined)
          assert.strictEqual(best.path, "zoo/walrus.md")
          assert.isAbove(best.scores.lexical ?? 0, 0)
          const { catalog } = yield* GenerationReader.use(({ live }) => live)
          assert.isNull(catalog.lexical)
          const searches = [...indexes.values()].map((index) => index.searches)
          assert.strictEqual(searches.length, 1)
          assert.isAtLeast(searches[0] ?? 0, 2)
        }),
        wordless
      )
    })
  )

  it.effect("are those of the store also where the catalog has its own", () =>
    Effect.gen(function* () {
      const indexes = new Map<string, WordIndex>()
      const world = yield* makeWordWorld(indexes)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          assert.deepStrictEqual(yield* lexical("otter"), ["zoo/otter.md"])
          // with the words of the store gone, those of the catalog do not answer in their place
          for (const index of indexes.values())
            index.deleteWhere({ _tag: "Exists", field: "repo", exists: true })
          const { catalog } = yield* GenerationReader.use(({ live }) => live)
          assert(catalog.lexical !== null)
          assert.lengthOf(yield* catalog.lexical.search({ terms: ["otter"], limit: 5 }), 1)
          assert.deepStrictEqual(yield* lexical("otter"), [])
        }),
        `vectorStore: { use: words }\n${fromStore}`
      )
    })
  )

  it.effect("follow an edit, a removal and a title that changes above chunks that stay", () =>
    Effect.gen(function* () {
      const world = yield* makeWordWorld()
      yield* inSystem(
        world,
        Effect.gen(function* () {
          world.corpus.write(
            "book.md",
            "# Alpha\n\nFirst part.\n\n# Beta\n\nThe second part tells of lynxes.\n"
          )
          yield* runIndex()
          assert.lengthOf(yield* lexical("alpha"), 2)
          world.corpus.write(
            "book.md",
            "# Gamma\n\nFirst part.\n\n# Beta\n\nThe second part tells of lynxes.\n"
          )
          world.corpus.write("zoo/walrus.md", "# Seal\n\nThe seal sleeps on the ice.\n")
          world.corpus.remove("farm/goat.md")
          const run = yield* runIndex()
          assert.strictEqual(run.status, "succeeded")
          assert.isAtLeast(run.counts.chunksUnchanged, 1)
          assert.deepStrictEqual(yield* lexical("seal"), ["zoo/walrus.md"])
          assert.deepStrictEqual(yield* lexical("goat"), [])
          // the file is still called walrus
          assert.deepStrictEqual(yield* lexical("walrus"), ["zoo/walrus.md"])
          assert.deepStrictEqual(yield* lexical("alpha"), [])
          assert.deepStrictEqual(yield* lexical("gamma"), ["book.md", "book.md"])
          assert.deepStrictEqual(yield* lexical("lynxes"), ["book.md"])
          assert.isTrue((yield* IndexVerifier.use(({ verify }) => verify)).sound)
        }),
        wordless
      )
    })
  )

  it.effect("are filtered before the top k, by what the store of vectors cannot evaluate, too", () =>
    Effect.gen(function* () {
      const world = yield* makeWordWorld()
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          for (const mode of ["lexical", "hybrid"] as const) {
            const found = yield* searchPaths("walrus", {
              mode,
              topK: 1,
              where: { _tag: "Compare", field: "path", operator: "glob", value: "farm/*" }
            })
            assert.deepStrictEqual(found, ["farm/goat.md"], mode)
          }
        }),
        wordless
      )
    })
  )
})

describe("a store without words that is configured to search by them", () => {
  const refused = (error: AppError) => {
    assert.instanceOf(error, PluginError)
    assert.strictEqual(error.name, "exact")
    assert.include(error.message, "set `retrieval.lexical: catalog`, or choose a store that has one")
  }

  // the second has to be fitted: its store is not even opened before
  for (const embedder of ["test", "lsa"]) {
    it.effect(`is refused at the start, with the embedder ${embedder}`, () =>
      Effect.gen(function* () {
        const world = yield* makeWordWorld()
        refused(
          yield* Effect.flip(inSystem(world, Effect.void, `embedder: { use: ${embedder} }\n${fromStore}`))
        )
      })
    )
  }
})
