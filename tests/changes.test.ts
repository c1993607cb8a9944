import { assert, describe, it } from "@effect/vitest"
import { Retriever } from "@omnirag/core/app"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { documentIds, runSoundly } from "@omnirag/testkit/soundRun"
import { contents, Corpus, inSystem, makeWorld, runIndex, searchPaths } from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

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

  it.effect(
    "a document that the disk will not show any more keeps its old version, and the run is partial",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const { corpus } = world
        corpus.write("a.md", section("Alpha", "walruses"))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runSoundly
            corpus.remove("a.md")
            symlinkSync("a.md", join(corpus.root, "a.md"))
            symlinkSync("new.md", join(corpus.root, "new.md"))
            const run = yield* runIndex()
            assert.strictEqual(run.status, "partial")
            assert.deepStrictEqual(run.failures, [
              {
                documentId: "docs/a.md",
                stage: "walk",
                code: "SOURCE_UNAVAILABLE",
                message:
                  "it could not be looked at, and what is indexed of it is kept: its links form a loop (ELOOP)"
              }
            ])
            // of what was never indexed nothing can be wrong
            assert.deepStrictEqual(
              run.skipped.map(({ path }) => path),
              ["new.md"]
            )
            assert.deepStrictEqual(yield* searchPaths("walruses"), ["a.md"])
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

  it.effect("a file replaced by one of the same size and an old time, as archives unpack them, is seen", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus } = world
      const unpack = (words: string) => {
        corpus.write("a.md", section("Alpha", words))
        utimesSync(join(corpus.root, "a.md"), new Date("1985-10-26"), new Date("1985-10-26"))
      }
      unpack("walrus")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          // late enough that the file does not count as written a moment ago
          yield* TestClock.setTime(Date.now() + 3_600_000)
          yield* runSoundly
          assert.deepInclude((yield* runSoundly).counts, { unchanged: 1, bytes: 0 })
          unpack("badger")
          assert.strictEqual((yield* runSoundly).counts.changed, 1)
          assert.deepStrictEqual(yield* searchPaths("badger", { mode: "lexical" }), ["a.md"])
          // other times alone cost no more than reading the file
          utimesSync(join(corpus.root, "a.md"), new Date("1985-10-27"), new Date("1985-10-27"))
          assert.deepInclude((yield* runSoundly).counts, { unchanged: 1, changed: 0 })
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
