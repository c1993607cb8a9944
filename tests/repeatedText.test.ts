import { assert, describe, it } from "@effect/vitest"
import { ChunkFilter, Retriever, type SearchRequest } from "@omnirag/core/app"
import { Effect } from "effect"
import { renameSync } from "node:fs"
import { join } from "node:path"
import { Corpus, inSystem, makeWorld, runIndex } from "@omnirag/testkit/TestSystem"

const copies = 2_000
const licence =
  "# Licence\n\nPermission is hereby granted to copy, merge and publish this walrus software without limit.\n"

/** A source whose every file holds the licence and a sentence of its own, files that come near it, and a second source. */
const flooded = Effect.map(makeWorld, (world) => {
  for (let n = 0; n < copies; n++) {
    const own = `# Part ${n}\n\nThe pump numbered ${n} stands in hall ${n % 40}.\n`
    world.corpus.write(`p${n % 2}/file${n}.md`, `${licence}\n${own}`)
  }
  for (let n = 0; n < 8; n++)
    world.corpus.write(
      `p${n % 2}/about${n}.md`,
      `# About ${n}\n\nWho may publish or copy this software is told to guest ${n}.\n`
    )
  const second = new Corpus(join(world.folder, "second"))
  second.write("LICENCE.md", licence)
  world.moreSources = [`{ use: folder, options: { name: second, path: ${second.root} } }`]
  return world
})

/** Name of the source, kind of file, and number of further places of each hit. */
const ask = (request: Partial<SearchRequest>) =>
  Retriever.use((retriever) =>
    retriever.search({ query: "permission to copy and publish this software", topK: 5, ...request })
  ).pipe(
    Effect.map(({ hits }) =>
      hits.map(({ alsoInCount, path, repo }) => [
        repo,
        path.replace(/^p\d\//, "").replace(/\d*\.md$/, ""),
        alsoInCount
      ])
    )
  )

describe("a text that thousands of files hold", () => {
  it.effect(
    "is one hit of its source that tells its places, and leaves room for others",
    () =>
      Effect.gen(function* () {
        const world = yield* flooded
        yield* inSystem(
          world,
          Effect.gen(function* () {
            const { counts } = yield* runIndex()
            assert.deepInclude(counts, { chunksNew: 2 * copies + 9, chunksDeduplicated: copies - 1 })
            const about = ["docs", "about", 0]
            for (const mode of ["lexical", "vector", "hybrid"] as const) {
              const everywhere = yield* ask({ mode })
              assert.sameDeepMembers(
                everywhere,
                [["docs", "file", copies - 1], ["second", "LICENCE", 0], about, about, about],
                mode
              )
              const where = ChunkFilter.equals("bundle", "p1")
              assert.sameDeepMembers(
                yield* ask({ mode, where }),
                [["docs", "file", copies / 2 - 1], about, about, about, about],
                mode
              )
            }

            const { hits } = yield* Retriever.use((retriever) =>
              retriever.search({
                query: "permission to copy",
                topK: 1,
                where: ChunkFilter.equals("repo", "docs")
              })
            )
            const [hit] = hits
            assert(hit !== undefined)
            const first = Array.from({ length: copies }, (_, n) => `p${n % 2}/file${n}.md`).toSorted()
            assert.deepStrictEqual(
              hit.alsoIn.map(({ path }) => path),
              first.filter((path) => path !== hit.path).slice(0, 20)
            )
            assert.strictEqual(hit.alsoIn[0]?.startLine, 1)
          })
        )
      }).pipe(Effect.scoped),
    120_000
  )

  it.effect("does not use up candidates that are fewer than its places", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      for (let n = 0; n < 40; n++) world.corpus.write(`copy${n}.md`, licence)
      world.corpus.write("other.md", "# Other\n\nOther people may publish other software.\n")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          for (const mode of ["lexical", "vector", "hybrid"] as const)
            assert.deepStrictEqual(
              yield* ask({ mode, topK: 2 }),
              [
                ["docs", "copy", 39],
                ["docs", "other", 0]
              ],
              mode
            )
        }),
        "retrieval: { candidates: 3 }"
      )
    }).pipe(Effect.scoped)
  )
})

describe("the count of repeated texts", () => {
  const shared = (own: string) =>
    `# Shared\n\nA text that several files of a source hold.\n\n# Own\n\nThe word ${own}.\n`
  const deduplicated = Effect.map(runIndex(), ({ counts, status }) => {
    assert.strictEqual(status, "succeeded")
    return counts.chunksDeduplicated
  })

  it.effect("is the same whether the files come in one run or in several", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus } = world
      corpus.write("a.md", shared("alpha"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          assert.strictEqual(yield* deduplicated, 0)
          corpus.write("b.md", shared("beta"))
          assert.strictEqual(yield* deduplicated, 1)
          corpus.write("c.md", shared("gamma"))
          corpus.write("d.md", shared("delta"))
          assert.strictEqual(yield* deduplicated, 2)
          // what stays is not counted again
          corpus.write("d.md", shared("epsilon"))
          assert.strictEqual(yield* deduplicated, 0)
          assert.strictEqual((yield* runIndex({ full: true })).counts.chunksDeduplicated, 0)
          // all of them in one run
          assert.strictEqual((yield* runIndex({ rebuild: true })).counts.chunksDeduplicated, 3)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("leaves out what a rename brings, other sources, and files that failed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus, probe } = world
      const second = new Corpus(join(world.folder, "second"))
      world.moreSources = [`{ use: folder, options: { name: second, path: ${second.root} } }`]
      corpus.write("a.md", shared("alpha"))
      second.write("a.md", shared("alpha"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          assert.strictEqual(yield* deduplicated, 0)
          renameSync(join(corpus.root, "a.md"), join(corpus.root, "z.md"))
          assert.strictEqual(yield* deduplicated, 0)
          // a text twice in one file
          corpus.write("twice.md", `${shared("beta")}${shared("gamma")}`)
          assert.strictEqual(yield* deduplicated, 2)
          probe.failOn = (text) => text.includes("delta")
          corpus.write("fails.md", shared("delta"))
          const failed = yield* runIndex()
          assert.deepInclude(failed.counts, { failed: 1, chunksNew: 0, chunksDeduplicated: 0 })
        })
      )
    }).pipe(Effect.scoped)
  )
})
