import { assert, describe, it } from "@effect/vitest"
import { GenerationReader, Indexer, IndexVerifier } from "@omnirag/core/app"
import { Effect } from "effect"
import { statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contents, inSystem, makeWorld, runIndex } from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

const verify = IndexVerifier.use((verifier) => verifier.verify)
const store = Effect.gen(function* () {
  const { catalog, vectors } = yield* GenerationReader.use(({ live }) => live)
  return vectors === null ? yield* Effect.die(new Error("no vectors")) : { catalog, ...vectors }
})

const none = { count: 0, first: [] }

describe("verify and repair", () => {
  it.effect("an index that a run has just made is sound", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          yield* Indexer.use((indexer) =>
            indexer.upsertDocument({ source: "notes", path: "n.md", text: section("Note", "capybaras") })
          )
          assert.deepStrictEqual(yield* verify, {
            sound: true,
            generation: "g-000001",
            catalog: [],
            missingVectors: none,
            orphanVectors: none,
            wrongVectors: none,
            staleDocuments: none,
            goneDocuments: none,
            pending: 0,
            unreadable: []
          })
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "vectors that the store has lost or has too many are named, and repaired without an embedding",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        for (const name of ["a", "b", "c"])
          world.corpus.write(`${name}.md`, section(name, `walruses ${name}`))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            const { embedder, store: vectorStore } = yield* store
            const [lost = "", kept = ""] = (yield* contents).chunkIds
            const { vectors } = yield* embedder.embed(["an orphan"], "query")
            const fields = {
              documentId: "docs/none.md",
              repo: "docs",
              bundle: null,
              path: "none.md",
              mediaType: "text/markdown",
              page: null,
              intent: null,
              confidence: 1,
              metadata: {}
            }
            yield* vectorStore.delete([lost])
            yield* vectorStore.upsert({ ids: ["orphan"], fields: [fields], vectors })
            yield* vectorStore.flush

            const report = yield* verify
            assert.deepInclude(report, {
              sound: false,
              missingVectors: { count: 1, first: [lost] },
              orphanVectors: { count: 1, first: ["orphan"] }
            })
            world.probe.calls = 0
            assert.strictEqual(yield* IndexVerifier.use((verifier) => verifier.repairStore), 2)
            assert.strictEqual(world.probe.calls, 0)
            assert.isTrue((yield* verify).sound)
            assert.include((yield* contents).storeIds, kept)
          })
        )
      }).pipe(Effect.scoped)
  )

  it.effect(
    "a vector or a field that is not that of its chunk is named, and repaired without an embedding",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const words = ["walruses", "otters", "capybaras", "zebras"]
        world.corpus.write("many.md", words.map((word) => section(word, word)).join("\n"))
        world.corpus.write("one.md", section("One", "lemurs"))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            const { catalog, embedder, store: vectorStore } = yield* store
            const [one, , , four] = yield* catalog.chunks.ofDocument("docs/many.md")
            const [moved] = yield* catalog.chunks.ofDocument("docs/one.md")
            assert(one !== undefined && four !== undefined && moved !== undefined)
            const ids = [one, four, moved].map(({ id }) => id)
            const fields = (yield* catalog.chunks.getMany(ids)).map((record) => record.fields)
            // two that have changed places, and the right vector under another path
            const { vectors } = yield* embedder.embed([four.text, one.text, moved.text], "document")
            yield* vectorStore.upsert({
              ids,
              fields: fields.map((value, n) => (n === 2 ? { ...value, path: "elsewhere.md" } : value)),
              vectors
            })
            yield* vectorStore.flush
            assert.deepInclude(yield* verify, {
              sound: false,
              missingVectors: none,
              orphanVectors: none,
              wrongVectors: { count: 3, first: ids }
            })
            world.probe.calls = 0
            assert.strictEqual(yield* IndexVerifier.use((verifier) => verifier.repairStore), 3)
            assert.strictEqual(world.probe.calls, 0)
            assert.isTrue((yield* verify).sound)
          })
        )
      }).pipe(Effect.scoped)
  )

  it.effect("a store that has lost some vectors is repaired by the next run, with a warning", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      for (const name of ["a", "b", "c"]) world.corpus.write(`${name}.md`, section(name, `walruses ${name}`))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const { store: vectorStore } = yield* store
          yield* vectorStore.delete((yield* contents).chunkIds.slice(0, 2))
          yield* vectorStore.flush
          const run = yield* runIndex()
          assert.deepStrictEqual(run.warnings, [
            "the vector store had drifted from the catalog; 2 writes repaired it"
          ])
          assert.isTrue((yield* verify).sound)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("files that differ from the index are found by content, whatever their size and time", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus } = world
      for (const name of ["same", "touched", "edited", "gone"]) {
        corpus.write(`${name}.md`, section(name, "walruses"))
      }
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const edited = join(corpus.root, "edited.md")
          const { mtime } = statSync(edited)
          writeFileSync(edited, section("edited", "w@lruses"))
          utimesSync(edited, mtime, mtime)
          utimesSync(join(corpus.root, "touched.md"), new Date(0), new Date(0))
          corpus.remove("gone.md")
          corpus.write("added.md", section("added", "otters"))
          corpus.write("noise.md", Buffer.from([0, 1, 2, 3, 0, 255, 254, 0]))
          assert.deepInclude(yield* verify, {
            sound: false,
            staleDocuments: { count: 2, first: ["docs/added.md", "docs/edited.md"] },
            goneDocuments: { count: 1, first: ["docs/gone.md"] }
          })
          yield* runIndex({ full: true })
          assert.isTrue((yield* verify).sound)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("documents of a source that nobody names any more are drift", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(world, runIndex())
      yield* inSystem(
        { ...world, source: "other" },
        Effect.gen(function* () {
          assert.deepInclude(yield* verify, {
            sound: false,
            staleDocuments: { count: 1, first: ["other/a.md"] },
            goneDocuments: { count: 1, first: ["docs/a.md"] }
          })
        })
      )
    }).pipe(Effect.scoped)
  )
})
