import { assert, describe, it } from "@effect/vitest"
import { Documents, Indexer, Retriever } from "@omnirag/core"
import { Effect } from "effect"
import { mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contents, Corpus, inSystem, makeWorld, runIndex, searchPaths } from "./support/TestSystem.ts"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

const documentIds = Effect.gen(function* () {
  const documents = yield* Documents
  return (yield* documents.list({ first: 1_000 })).documents.map(({ id }) => id)
})

/** Runs and checks that catalog and store agree afterwards. */
const runSoundly = Effect.gen(function* () {
  const run = yield* runIndex()
  assert.strictEqual(run.status, "succeeded")
  const { chunkIds, counts, storeIds } = yield* contents
  assert.deepStrictEqual(storeIds, chunkIds)
  assert.strictEqual(counts.outbox, 0)
  return run
})

describe("what a run does with what has changed", () => {
  it.effect("rename, move, copy and delete in one run cost no embedding call", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus, probe } = world
      for (const name of ["renamed", "moved", "copied", "deleted"])
        corpus.write(`${name}.md`, section(name, `${name} lions`))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runSoundly
          renameSync(join(corpus.root, "renamed.md"), join(corpus.root, "other.md"))
          mkdirSync(join(corpus.root, "deep/er"), { recursive: true })
          renameSync(join(corpus.root, "moved.md"), join(corpus.root, "deep/er/moved.md"))
          corpus.write("copy.md", section("copied", "copied lions"))
          corpus.remove("deleted.md")
          probe.calls = 0
          const run = yield* runSoundly
          assert.deepInclude(run.counts, {
            embedded: 0,
            embeddingCalls: 0,
            changed: 3,
            removed: 3,
            unchanged: 1
          })
          assert.strictEqual(probe.calls, 0)
          assert.deepStrictEqual(yield* documentIds, [
            "docs/copied.md",
            "docs/copy.md",
            "docs/deep/er/moved.md",
            "docs/other.md"
          ])
          assert.notInclude(yield* searchPaths("deleted", { mode: "lexical" }), "deleted.md")
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a file that becomes a folder, and a folder that becomes a file", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus } = world
      corpus.write("thing.md", section("Thing", "gazelles"))
      corpus.write("tree.md/leaf.md", section("Leaf", "toucans"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runSoundly
          corpus.remove("thing.md")
          corpus.write("thing.md/inside.md", section("Inside", "gazelles"))
          corpus.remove("tree.md")
          corpus.write("tree.md", section("Tree", "toucans"))
          yield* runSoundly
          assert.deepStrictEqual(yield* documentIds, ["docs/thing.md/inside.md", "docs/tree.md"])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a document that loses its text keeps no chunk", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses") + section("Beta", "otters"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runSoundly
          world.corpus.write("a.md", "\n\n")
          yield* runSoundly
          assert.deepStrictEqual((yield* contents).chunkIds, [])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a change that keeps size and time is seen when the file was still warm, and by a full run else",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const { corpus } = world
        const path = join(corpus.root, "a.md")
        const rewrite = (words: string) => {
          const { mtime } = statSync(path)
          writeFileSync(path, section("Alpha", words))
          utimesSync(path, mtime, mtime)
        }
        corpus.write("a.md", section("Alpha", "walrus"))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            // the test's clock stands at 0: every file counts as written a moment ago
            yield* runSoundly
            rewrite("badger")
            assert.strictEqual((yield* runSoundly).counts.changed, 1)
            assert.deepStrictEqual(yield* searchPaths("badger", { mode: "lexical" }), ["a.md"])
            const full = yield* runIndex({ full: true })
            assert.deepInclude(full.counts, { changed: 1, chunksNew: 0, chunksUnchanged: 1, embedded: 0 })
          })
        )
      }).pipe(Effect.scoped)
  )
})

describe("repeated text", () => {
  it.effect("in one source it is embedded once, counted, and each place can be cited", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus, probe } = world
      const licence = section("Licence", "permission to use walruses")
      corpus.write("a.md", licence)
      corpus.write("b.md", licence)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const first = yield* runSoundly
          assert.deepInclude(first.counts, {
            chunksNew: 2,
            chunksDeduplicated: 1,
            embedded: 1
          })
          assert.strictEqual(probe.embedded.length, 1)
          assert.strictEqual((yield* contents).counts.vectors, 1)

          const { hits } = yield* Retriever.use((retriever) =>
            retriever.search({ query: "permission to use walruses", topK: 5 })
          )
          assert.deepStrictEqual(
            hits.map((hit) => [hit.path, hit.alsoIn.map(({ path, startLine }) => [path, startLine])]),
            [["a.md", [["b.md", 1]]]]
          )

          corpus.write("c.md", licence)
          assert.deepInclude((yield* runSoundly).counts, { chunksNew: 1, embedded: 0, embeddingCalls: 0 })
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("in two sources each keeps its own", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const second = new Corpus(join(world.folder, "second"))
      world.moreSources = [`{ use: folder, options: { name: second, path: ${second.root} } }`]
      world.corpus.write("a.md", section("Licence", "walruses"))
      second.write("a.md", section("Licence", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const run = yield* runSoundly
          assert.deepInclude(run.counts, { chunksNew: 2, chunksDeduplicated: 0, embedded: 1 })
          const { hits } = yield* Retriever.use((retriever) =>
            retriever.search({ query: "walruses", topK: 5 })
          )
          assert.deepStrictEqual(hits.map((hit) => [hit.repo, hit.alsoIn.length]).toSorted(), [
            ["docs", 0],
            ["second", 0]
          ])
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("sources", () => {
  it.effect("one that is away keeps its documents, one taken off the list loses them", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const second = new Corpus(join(world.folder, "second"))
      world.moreSources = [`{ use: folder, options: { name: second, path: ${second.root} } }`]
      world.corpus.write("a.md", section("Alpha", "walruses"))
      second.write("b.md", section("Beta", "otters"))
      yield* inSystem(world, runSoundly)
      renameSync(second.root, `${second.root}.away`)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const run = yield* runSoundly
          assert.include(run.warnings.join(), "the source second is missing")
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "second/b.md"])
        })
      )
      // even where the chunker changes, what is indexed of it is taken over
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runSoundly
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "second/b.md"])
          assert.deepStrictEqual(yield* searchPaths("otters", { mode: "lexical" }), ["b.md"])
        }),
        "chunker: { use: markdown, options: { maxLength: 1500 } }"
      )
      world.moreSources = []
      yield* inSystem(
        world,
        Effect.gen(function* () {
          assert.strictEqual((yield* runSoundly).counts.removed, 1)
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md"])
        }),
        "chunker: { use: markdown, options: { maxLength: 1500 } }"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a provider that cannot even name its sources takes none of them away", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const base = join(world.folder, "base")
      world.corpus.write("a.md", section("Alpha", "walruses"))
      new Corpus(join(base, "one")).write("b.md", section("Beta", "otters"))
      world.moreSources = [`{ use: repositories, options: { base: ${base}, names: [one] } }`]
      yield* inSystem(world, runSoundly)
      renameSync(base, `${base}.away`)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const run = yield* runIndex()
          assert.strictEqual(run.counts.removed, 0)
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "one/b.md"])
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("documents given through the API", () => {
  it.effect("survive a rebuild, and a half-built generation follows what happens to them", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      const give = (path: string, words: string) =>
        Indexer.use((indexer) =>
          indexer.upsertDocument({ source: "notes", path, text: section(path, words) })
        )
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runSoundly
          yield* give("kept.md", "capybaras")
          yield* give("deleted.md", "lemurs")
          yield* runIndex({ rebuild: true })
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/deleted.md", "notes/kept.md"])
        })
      )
      const changed = "chunker: { use: markdown, options: { maxLength: 1500 } }"
      world.corpus.write("new.md", section("New", "text that fails"))
      world.corpus.write("a.md", section("Alpha", "text that fails"))
      world.probe.failOn = (text) => text.includes("text that fails")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          // a.md cannot be brought over, so the old generation stays in use
          const partial = yield* runIndex()
          assert.strictEqual(partial.status, "partial")
          assert.include(partial.warnings.join(), "g-000002 stays in use: g-000003 lacks 1 of its documents")
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/deleted.md", "notes/kept.md"])
          assert.strictEqual(
            yield* Documents.use((documents) => documents.text("docs/a.md")),
            section("Alpha", "walruses")
          )
          yield* Indexer.use((indexer) => indexer.deleteDocuments(["notes/deleted.md"]))
          yield* give("late.md", "ibexes")

          world.probe.failOn = () => false
          yield* runSoundly
          assert.deepStrictEqual(yield* documentIds, [
            "docs/a.md",
            "docs/new.md",
            "notes/kept.md",
            "notes/late.md"
          ])
          assert.strictEqual((yield* searchPaths("capybaras"))[0], "kept.md")
        }),
        changed
      )
    }).pipe(Effect.scoped)
  )
})
