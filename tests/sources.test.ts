import { assert, describe, it } from "@effect/vitest"
import { Documents, IndexVerifier } from "@omnirag/core/app"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { renameSync } from "node:fs"
import { join } from "node:path"
import { documentIds, runSoundly } from "@omnirag/testkit/soundRun"
import { Corpus, inSystem, makeWorld, runIndex, searchPaths } from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

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
