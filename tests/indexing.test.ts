import { assert, describe, it } from "@effect/vitest"
import { Documents, GenerationReader, GenerationBuilder, Indexer } from "@omnirag/core/app"
import { Effect } from "effect"
import { renameSync } from "node:fs"
import { join } from "node:path"
import { contents, inSystem, makeWorld, runIndex, searchPaths } from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

describe("incremental runs", () => {
  it.effect("after every run the store holds exactly what the disk implies (T6)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus, probe } = world
      corpus.write(
        "a.md",
        section("Alpha", "walruses") + section("Second", "otters") + section("Third", "lynxes")
      )
      corpus.write("b.md", section("Beta", "penguins"))
      corpus.write("c.md", section("Gamma", "badgers"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const first = yield* runIndex()
          assert.strictEqual(first.status, "succeeded")
          assert.deepInclude(first.counts, { files: 3, changed: 3, chunksNew: 5, embedded: 5, failed: 0 })
          const before = yield* contents
          assert.deepStrictEqual(before.storeIds, before.chunkIds)
          assert.strictEqual(before.counts.outbox, 0)

          const second = yield* runIndex()
          assert.deepInclude(second.counts, { unchanged: 3, changed: 0, embedded: 0, embeddingCalls: 0 })

          // one shrinks, one is renamed, one is removed, one is copied
          corpus.write("a.md", section("Alpha", "walruses"))
          renameSync(join(corpus.root, "b.md"), join(corpus.root, "renamed.md"))
          corpus.remove("c.md")
          corpus.write("copy/a.md", section("Alpha", "walruses"))
          probe.embedded.length = 0
          const third = yield* runIndex()
          assert.deepInclude(third.counts, { embedded: 0, embeddingCalls: 0, removed: 2 })
          assert.deepStrictEqual(probe.embedded, [])

          const after = yield* contents
          assert.deepStrictEqual(after.storeIds, after.chunkIds)
          assert.deepStrictEqual(after.counts, {
            documents: 3,
            chunks: 3,
            vectors: after.counts.vectors,
            outbox: 0
          })
          assert.deepStrictEqual(yield* searchPaths("otters", { mode: "lexical" }), [])
          assert.deepStrictEqual(yield* searchPaths("badgers", { mode: "lexical" }), [])
          assert.strictEqual((yield* searchPaths("penguins"))[0], "renamed.md")

          // both copies can be cited: one as the hit, the other as a further place of it
          const documents = yield* Documents
          const copies = yield* Effect.forEach(["docs/a.md", "docs/copy/a.md"], (id) =>
            documents.chunksOf(id)
          )
          assert.deepStrictEqual(
            copies.map((chunks) => chunks.map((chunk) => chunk.text)),
            [[section("Alpha", "walruses").trim()], [section("Alpha", "walruses").trim()]]
          )
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a failing embedder leaves the old version of that document, and the next run repairs it (T7)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const { corpus, probe } = world
        for (const name of ["one", "two", "three"])
          corpus.write(`${name}.md`, section(name, `old ${name} content`))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            for (const name of ["one", "two", "three"])
              corpus.write(`${name}.md`, section(name, `fresh ${name} text`))
            probe.failOn = (text) => text.includes("fresh two")
            const partial = yield* runIndex()
            assert.strictEqual(partial.status, "partial")
            assert.deepStrictEqual(
              partial.failures.map(({ documentId, stage, code }) => ({ documentId, stage, code })),
              [{ documentId: "docs/two.md", stage: "embed", code: "EMBEDDING_FAILED" }]
            )
            assert.deepInclude(partial.counts, { failed: 1, embedded: 2, embeddingsFailed: 1 })
            const documents = yield* Documents
            const texts = yield* Effect.forEach(
              ["docs/one.md", "docs/two.md", "docs/three.md"],
              documents.text
            )
            assert.deepStrictEqual(texts, [
              section("one", "fresh one text"),
              section("two", "old two content"),
              section("three", "fresh three text")
            ])
            probe.failOn = () => false
            const repaired = yield* runIndex()
            assert.deepInclude(repaired.counts, { changed: 1, unchanged: 2, failed: 0, embeddingsFailed: 0 })
            assert.strictEqual(yield* documents.text("docs/two.md"), section("two", "fresh two text"))
            const { chunkIds, storeIds } = yield* contents
            assert.deepStrictEqual(storeIds, chunkIds)
          })
        )
      }).pipe(Effect.scoped)
  )

  it.effect("a source that leaves the configuration leaves the index", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(world, runIndex())
      yield* inSystem(
        { ...world, source: "other" },
        Effect.gen(function* () {
          const run = yield* runIndex()
          assert.deepInclude(run.counts, { files: 1, changed: 1, removed: 1, embedded: 0 })
          const documents = yield* Documents
          assert.deepStrictEqual(
            (yield* documents.sources).map(({ name }) => name),
            ["other"]
          )
          const { chunkIds, storeIds } = yield* contents
          assert.deepStrictEqual(storeIds, chunkIds)
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("a changed model or chunker", () => {
  const changes = [
    ["another model", "embedder: { use: test, options: { model: two } }", 1],
    ["other dimensions", "embedder: { use: test, options: { dimensions: 32 } }", 1],
    ["another chunker", "chunker: { use: markdown, options: { maxLength: 1500 } }", 0],
    ["another shortest chunk", "indexing: { minimumChunkLength: 20 }", 0]
  ] as const
  for (const [what, more, embedded] of changes) {
    it.effect(`${what} builds a generation beside the live one and switches to it (T8)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        world.corpus.write("a.md", section("Alpha", "walruses"))
        yield* inSystem(world, runIndex())
        yield* inSystem(
          world,
          Effect.gen(function* () {
            const reader = yield* GenerationReader
            // the old generation, with its own embedder, answers until the new one is complete
            assert.strictEqual((yield* reader.live).id, "g-000001")
            assert.deepStrictEqual(yield* searchPaths("walruses", { mode: "vector" }), ["a.md"])
            const run = yield* runIndex()
            assert.strictEqual(run.status, "succeeded")
            assert.strictEqual(run.counts.embedded, embedded)
            assert.strictEqual((yield* reader.live).id, "g-000002")
            assert.deepStrictEqual(yield* searchPaths("walruses", { mode: "vector" }), ["a.md"])
            const { chunkIds, storeIds } = yield* contents
            assert.deepStrictEqual(storeIds, chunkIds)
          }),
          more
        )
      }).pipe(Effect.scoped)
    )
  }

  it.effect("a failure while the new generation is built leaves the old one in use", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(world, runIndex())
      world.probe.failOn = (text) => text.includes("about walruses")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const error = yield* Effect.flip(runIndex())
          assert.strictEqual(error.code, "EMBEDDING_FAILED")
          const reader = yield* GenerationReader
          const builder = yield* GenerationBuilder
          assert.strictEqual((yield* reader.live).id, "g-000001")
          assert.strictEqual((yield* builder.building)?.id, "g-000002")
          assert.deepStrictEqual(yield* searchPaths("walruses", { mode: "vector" }), ["a.md"])

          // the next run resumes where this one ended
          world.probe.failOn = () => false
          const run = yield* runIndex()
          assert.strictEqual(run.status, "succeeded")
          assert.include(
            run.warnings.join(),
            "the build of g-000002, which an earlier run left incomplete, is resumed"
          )
          assert.strictEqual((yield* reader.live).id, "g-000002")
          assert.strictEqual(yield* builder.building, null)
        }),
        "embedder: { use: test, options: { model: two } }"
      )
    }).pipe(Effect.scoped)
  )
})

describe("documents given through the API", () => {
  it.effect("are indexed, survive runs and a change of the chunker, and can be removed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          yield* runIndex()
          const given = yield* indexer.upsertDocument({
            source: "notes",
            path: "n.md",
            text: section("Note", "capybaras")
          })
          assert.deepInclude(given, { id: "notes/n.md", chunks: 1, title: "Note" })
          yield* runIndex()
          assert.strictEqual((yield* searchPaths("capybaras"))[0], "n.md")
          const refused = yield* Effect.flip(
            indexer.upsertDocument({ source: "docs", path: "n.md", text: "x" })
          )
          assert.strictEqual(refused.code, "BAD_USER_INPUT")
        })
      )
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          assert.strictEqual((yield* runIndex()).status, "succeeded")
          assert.strictEqual((yield* searchPaths("capybaras"))[0], "n.md")
          assert.strictEqual(yield* indexer.deleteDocuments(["notes/n.md", "notes/none.md"]), 1)
          assert.notInclude(yield* searchPaths("capybaras"), "n.md")
        }),
        "chunker: { use: markdown, options: { maxLength: 1500 } }"
      )
    }).pipe(Effect.scoped)
  )
})
