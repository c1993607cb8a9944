import { assert, describe, it } from "@effect/vitest"
import {
  ArtifactStore,
  type Catalog,
  CatalogProvider,
  definePlugin,
  type Embedder,
  EmbedderProvider,
  Evidence,
  GenerationRegistry,
  Indexer,
  inverseDocumentFrequency,
  queryTerms,
  selectPlugin,
  type VectorStore,
  VectorStoreProvider
} from "@omnirag/core/app"
import { builtInPlugins } from "@omnirag/runtime"
import { inSystem, makeWorld, type TestWorld } from "@omnirag/testkit/TestSystem"
import { vectorOf } from "@omnirag/testkit/TestEmbedder"
import { Effect, Layer, Option, Ref, Schema } from "effect"

const question = "How many walruses does the colony count?"

/** How many documents, and so chunks, a generation has: the more, the rarer the word of the first one. */
const documentsOf = (number: number): number => 2 + number

/** What happens before each call that a question makes of a port. */
interface Hook {
  before: Effect.Effect<void>
}

/** Calls of ports that a question may make, each with the hook before it. */
const hookedCatalog = (hook: Hook, catalog: Catalog): Catalog => {
  const hooked = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.andThen(
      Effect.suspend(() => hook.before),
      effect
    )
  const { chunks, lexical, outbox } = catalog
  return {
    ...catalog,
    chunks: {
      ...chunks,
      isEmpty: hooked(chunks.isEmpty),
      getMany: (ids) => hooked(chunks.getMany(ids)),
      textKeys: (ids) => hooked(chunks.textKeys(ids)),
      copiesOf: (ids, options) => hooked(chunks.copiesOf(ids, options))
    },
    cache: { ...catalog.cache, get: (...args) => hooked(catalog.cache.get(...args)) },
    outbox: { ...outbox, pending: (...args) => hooked(outbox.pending(...args)) },
    lexical:
      lexical === null
        ? null
        : {
            ...lexical,
            search: (query) => hooked(lexical.search(query)),
            statistics: (terms) => hooked(lexical.statistics(terms))
          }
  }
}

/** The catalog `sqlite` by the name `hooked`; its artifacts tell the embedder which generation it is loaded for. */
const catalogPlugin = (hook: Hook) =>
  definePlugin({
    kind: "catalog",
    name: "hooked",
    description: "Tells of each call; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.mergeAll(
        Layer.effect(
          CatalogProvider,
          Effect.map(CatalogProvider, (sqlite) => ({
            ...sqlite,
            open: (generation, options) =>
              Effect.map(sqlite.open(generation, options), (catalog) => hookedCatalog(hook, catalog))
          }))
        ),
        Layer.effect(
          ArtifactStore,
          Effect.map(ArtifactStore, (store) => ({
            ...store,
            of: (generation) => ({
              ...store.of(generation),
              get: () =>
                Effect.succeed(
                  Option.some({ bytes: new TextEncoder().encode(generation.id), fingerprint: "generation" })
                )
            })
          }))
        ),
        Layer.effect(GenerationRegistry, GenerationRegistry)
      ).pipe(Layer.provide(selectPlugin("catalog", builtInPlugins.catalog, { use: "sqlite", options: {} })))
  })

/** The relevance floor of the embedder of a generation: low, and another for each. */
const floorOf = (generation: string): number => Number(generation.slice(2)) / 100_000

/** An embedder whose floor is that of the generation it was loaded for. */
const embedderPlugin = (hook: Hook) =>
  definePlugin({
    kind: "embedder",
    name: "numbered",
    description: "Knows its generation; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.succeed(EmbedderProvider, {
        name: "numbered",
        load: (artifacts) =>
          Effect.map(artifacts.get("generation"), (artifact) =>
            Option.map(artifact, ({ bytes }): Embedder => {
              const generation = new TextDecoder().decode(bytes)
              return {
                name: "numbered",
                dimensions: 32,
                fingerprint: "numbered",
                fusionWeight: 0.5,
                relevanceFloor: floorOf(generation),
                batchSize: 8,
                concurrency: 1,
                embed: Effect.fnUntraced(function* (texts, role) {
                  if (role === "query") yield* Effect.suspend(() => hook.before)
                  const vectors = new Float32Array(texts.length * 32)
                  texts.forEach((text, row) => vectors.set(vectorOf(text, 32, "numbered"), row * 32))
                  return { count: texts.length, dimensions: 32, vectors }
                })
              }
            })
          )
      })
  })

/** The store `exact` by the name `hooked`. */
const storePlugin = (hook: Hook) =>
  definePlugin({
    kind: "vectorStore",
    name: "hooked",
    description: "Tells of each query; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.effect(
        VectorStoreProvider,
        Effect.map(VectorStoreProvider, (exact) => ({
          ...exact,
          open: (spec) =>
            Effect.map(exact.open(spec), (store): VectorStore => ({
              ...store,
              query: (query) =>
                Effect.andThen(
                  Effect.suspend(() => hook.before),
                  store.query(query)
                )
            }))
        }))
      ).pipe(
        Layer.provide(selectPlugin("vectorStore", builtInPlugins.vectorStore, { use: "exact", options: {} }))
      )
  })

/** Writes the documents of a generation: each says which it is of. */
const writeDocuments = ({ corpus }: TestWorld, number: number): void => {
  corpus.write("colony.md", `# Colony\n\nThe colony counts walruses, says generation${number}.\n`)
  for (let n = 1; n < documentsOf(number); n++)
    corpus.write(
      `other-${n}.md`,
      `# Other ${n}\n\nDocument ${n} of generation${number} is about something else.\n`
    )
}

describe("one generation a question", () => {
  it.effect("whichever call a new generation is promoted at, the answer is whole from one", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const hook: Hook = { before: Effect.void }
      world.plugins = {
        ...world.plugins,
        catalog: [...world.plugins.catalog, catalogPlugin(hook)],
        embedder: [...world.plugins.embedder, embedderPlugin(hook)],
        vectorStore: [...world.plugins.vectorStore, storePlugin(hook)]
      }
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          const evidence = yield* Evidence
          const number = yield* Ref.make(1)
          writeDocuments(world, 1)
          yield* Effect.orDie(indexer.run({}))

          /** Builds the next generation and switches to it, with the hook away. */
          const promote = Effect.gen(function* () {
            hook.before = Effect.void
            writeDocuments(world, yield* Ref.updateAndGet(number, (n) => n + 1))
            yield* Effect.orDie(indexer.run({ rebuild: true }))
          })

          let promoted = true
          let calls = 0
          while (promoted) {
            let left = calls
            promoted = false
            hook.before = Effect.suspend(() => {
              if (left-- > 0) return Effect.void
              promoted = true
              return promote
            })
            const { floor, hits, request } = yield* evidence.find({ query: question, topK: 5 })
            hook.before = Effect.void
            const texts = hits.map(({ chunk }) => chunk.text).join("\n")
            const generations = [...new Set(texts.match(/generation\d+/g))]
            assert.lengthOf(generations, 1, `promoted at call ${calls}: ${generations.join()}`)
            const of = Number(generations[0]?.slice("generation".length))
            const [term = ""] = queryTerms("walruses")
            assert.strictEqual(request.termWeights.get(term), inverseDocumentFrequency(documentsOf(of), 1))
            assert.strictEqual(floor, floorOf(`g-${of}`))
            calls++
          }
          // the empty index, words, question, vectors, pending writes, feedback, texts, places, rarities
          assert.isAbove(calls, 9)
        }),
        "catalog: { use: hooked }\nembedder: { use: numbered }\nvectorStore: { use: hooked }"
      )
    }).pipe(Effect.scoped)
  )
})
