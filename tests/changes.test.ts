import { assert, describe, it } from "@effect/vitest"
import { Documents, Indexer, IndexVerifier, Retriever } from "@omnirag/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
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

describe("a git source", () => {
  it.effect("records the revision on every document, those too that it has not changed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const remote = new Corpus(join(world.folder, "remote"))
      const git = (...args: ReadonlyArray<string>) =>
        execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
          cwd: remote.root,
          encoding: "utf8"
        }).trim()
      const commit = () => {
        git("add", ".")
        git("commit", "--quiet", "--allow-empty", "-m", "next")
        return git("rev-parse", "HEAD")
      }
      git("init", "--quiet")
      remote.write("a.md", section("Alpha", "walruses"))
      remote.write("b.md", section("Beta", "otters"))
      remote.write(
        "large.md",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32\nsize 12345\n"
      )
      world.corpus.write("x.md", section("Other", "lynxes"))
      world.moreSources = [
        `{ use: git, options: { name: r, url: "file://${remote.root}", allowLocal: true, cache: ${join(world.folder, "cache")} } }`
      ]
      const revisions = Effect.gen(function* () {
        const documents = yield* Documents
        const { documents: all } = yield* documents.list({ first: 10 })
        const summary = (yield* documents.sources).find(({ name }) => name === "r")
        return [...all.map(({ id, revision }) => [id, revision]), ["r", summary?.revision]]
      })
      const expected = (a: string, b: string) => [
        ["docs/x.md", null],
        ["r/a.md", a],
        ["r/b.md", b],
        ["r", b]
      ]
      const first = commit()
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const run = yield* runSoundly
          assert.deepStrictEqual(yield* revisions, expected(first, first))
          assert.deepStrictEqual(run.skipped, [
            {
              source: "r",
              path: "large.md",
              reason: "it is a Git LFS pointer without its content; run `git lfs pull`"
            }
          ])
          remote.write("b.md", section("Beta", "beavers"))
          const second = commit()
          yield* runSoundly
          assert.deepStrictEqual(yield* revisions, expected(second, second))
          const third = commit()
          const { counts } = yield* runSoundly
          assert.deepInclude(counts, { changed: 0, embedded: 0 })
          assert.deepStrictEqual(yield* revisions, expected(third, third))
          assert.deepStrictEqual((yield* Effect.flatMap(IndexVerifier, ({ verify }) => verify)).catalog, [])
          // a document that keeps its old version keeps the revision of that, too
          remote.write("a.md", section("Alpha", "text that fails"))
          world.probe.failOn = (text) => text.includes("text that fails")
          const fourth = commit()
          assert.strictEqual((yield* runIndex()).status, "partial")
          assert.deepStrictEqual((yield* revisions).slice(0, 3), expected(third, fourth).slice(0, 3))
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("documents given through the API", () => {
  it.effect("are not removed by a source that takes their name, which is free once they are deleted", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      const give = Indexer.use((indexer) =>
        indexer.upsertDocument({ source: "notes", path: "n.md", text: section("Note", "ibexes") })
      )
      yield* inSystem(world, Effect.andThen(runSoundly, give))
      const notes = new Corpus(join(world.folder, "notes"))
      notes.write("f.md", section("File", "lynxes"))
      world.moreSources = [`{ use: folder, options: { path: ${notes.root} } }`]
      yield* inSystem(
        world,
        Effect.gen(function* () {
          for (const options of [{}, { rebuild: true }]) {
            const run = yield* runIndex(options)
            assert.strictEqual(run.status, "partial")
            assert.deepInclude(run.failures[0], {
              documentId: "notes",
              stage: "walk",
              code: "BAD_USER_INPUT"
            })
            assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/n.md"])
          }
          yield* Indexer.use((indexer) => indexer.deleteDocuments(["notes/n.md"]))
          yield* runSoundly
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/f.md"])
          const refused = yield* Effect.flip(give)
          assert.strictEqual(refused.code, "BAD_USER_INPUT")
        })
      )
    }).pipe(Effect.scoped)
  )

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
