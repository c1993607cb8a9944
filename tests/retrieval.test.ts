import { assert, describe, it } from "@effect/vitest"
import {
  ChunkFilter,
  GenerationReader,
  parseBenchmarkSet,
  RetrievalBenchmark,
  Retriever
} from "@omnirag/core/app"
import { Effect } from "effect"
import { inSystem, makeWorld, runIndex, searchPaths } from "@omnirag/testkit/TestSystem"

const page = (title: string, words: string) => `# ${title}\n\nThis page is about ${words} and nothing else.\n`

/** Forty pages near the question in one bundle, three far from it in another. */
const twoBundles = Effect.map(makeWorld, (world) => {
  for (let n = 0; n < 40; n++)
    world.corpus.write(`near/n${n}.md`, page(`Near ${n}`, `walruses on ice, number ${n}`))
  for (let n = 0; n < 3; n++)
    world.corpus.write(`far/f${n}.md`, page(`Far ${n}`, `engines of boats, number ${n}`))
  return world
})

describe("filters", () => {
  for (const mode of ["hybrid", "vector"] as const) {
    it.effect(`apply before the best are taken: ${mode} (T12)`, () =>
      Effect.gen(function* () {
        const world = yield* twoBundles
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            const where = ChunkFilter.equals("bundle", "far")
            const found = yield* searchPaths("walruses on ice", { mode, topK: 3, where })
            assert.sameMembers(found, ["far/f0.md", "far/f1.md", "far/f2.md"])
          })
        )
      }).pipe(Effect.scoped)
    )
  }

  it.effect("all apply when given together, and an unknown field is an error", () =>
    Effect.gen(function* () {
      const world = yield* twoBundles
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const both = ChunkFilter.and(
            ChunkFilter.equals("repo", "docs"),
            ChunkFilter.equals("bundle", "near"),
            ChunkFilter.compare("path", "glob", "near/n1*.md")
          )
          const found = yield* searchPaths("walruses", { topK: 100, where: both, mode: "lexical" })
          assert.sameMembers(found, ["near/n1.md", ...Array.from({ length: 10 }, (_, n) => `near/n1${n}.md`)])
          const elsewhere = ChunkFilter.and(
            ChunkFilter.equals("repo", "other"),
            ChunkFilter.equals("bundle", "near")
          )
          assert.deepStrictEqual(yield* searchPaths("walruses", { where: elsewhere }), [])
          const error = yield* Effect.flip(
            searchPaths("walruses", { where: ChunkFilter.equals("color", "red") })
          )
          assert.deepInclude(error, { code: "BAD_USER_INPUT", field: "where" })
          assert.include(error.message, '"color"')
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("scores", () => {
  it.effect("each hit has those of the stages it went through, and ties come in one order", () =>
    Effect.gen(function* () {
      const world = yield* twoBundles
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const retriever = yield* Retriever
          const ask = retriever.search({ query: "engines of boats", topK: 5 })
          const first = yield* ask
          assert.strictEqual(first.mode, "hybrid")
          assert.include(first.hits[0]?.path, "far/")
          assert.isNotNull(first.hits[0]?.scores.vector)
          assert.isNotNull(first.hits[0]?.scores.lexical)
          assert.isNull(first.hits[0]?.scores.rerank)
          assert.deepStrictEqual(yield* ask, first)
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("benchmark", () => {
  it.effect("reads both formats, counts distinct documents, and scopes cases that name a bundle", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write(
        "a/one.md",
        `${page("Walruses", "walruses")}\n${page("More walruses", "walruses again")}`
      )
      world.corpus.write("b/two.md", page("Penguins", "penguins"))
      const cases = yield* parseBenchmarkSet(
        JSON.stringify([
          {
            query: "walruses",
            expected_source_contains: "a/one",
            notes: "two chunks of one document are one rank"
          },
          { query: "penguins", judgements: { "docs/b/two.md": 2, "docs/a/one.md": 0 } },
          { query: "walruses", expected_source_contains: "a/one", bundle: "b" }
        ])
      )
      const report = yield* inSystem(
        world,
        Effect.andThen(
          runIndex(),
          RetrievalBenchmark.use((benchmark) => benchmark.measure(cases))
        )
      )
      assert.deepStrictEqual(report.recall, { "1": 2 / 3, "5": 2 / 3, "10": 2 / 3 })
      assert.closeTo(report.mrr, 2 / 3, 1e-12)
      assert.closeTo(report.ndcg10, 2 / 3, 1e-12)
      assert.deepStrictEqual(report.failures, [
        { query: "walruses", expected: "a/one", found: ["docs/b/two.md"] }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("refuses what is no set of questions", () =>
    Effect.gen(function* () {
      for (const text of ["", "{}", "[]", '[{"query": "x"}]', '[{"query": "x", "judgements": {"d": -1}}]']) {
        assert.strictEqual((yield* Effect.flip(parseBenchmarkSet(text))).code, "BAD_USER_INPUT")
      }
    })
  )
})

describe("the embedded embedder", () => {
  const animals = [
    "walrus",
    "penguin",
    "badger",
    "otter",
    "lynx",
    "heron",
    "marten",
    "puffin",
    "stoat",
    "bison"
  ]

  it.effect("finds nothing for words that nobody has written, in whatever mode", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      for (const [n, animal] of animals.entries()) world.corpus.write(`p${n}.md`, page(`Page ${n}`, animal))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          for (const mode of ["hybrid", "vector", "lexical"] as const) {
            assert.deepStrictEqual(yield* searchPaths("qwertyzxcv blorf", { mode }), [])
            assert.include(yield* searchPaths("blorf walrus", { mode }), "p0.md")
          }
        }),
        "embedder: { use: lsa }"
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "takes a few new documents in as it is, and is fitted again when the corpus has grown by half",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const write = (from: number, to: number) => {
          for (let n = from; n < to; n++) {
            const words = [animals[n % 10], animals[(n * 3 + 1) % 10], `habitat${n % 4}`].join(" and ")
            world.corpus.write(`p${n}.md`, page(`Page ${n}`, words))
          }
        }
        const state = Effect.gen(function* () {
          const reader = yield* GenerationReader
          const { id, vectors } = yield* reader.live
          return {
            id,
            fingerprint: vectors?.embedder.fingerprint,
            rows: yield* vectors?.store.count() ?? Effect.succeed(0)
          }
        })
        yield* inSystem(
          world,
          Effect.gen(function* () {
            write(0, 20)
            yield* runIndex()
            const fitted = yield* state
            assert.strictEqual(fitted.rows, 20)

            write(20, 24)
            assert.deepInclude((yield* runIndex()).counts, { changed: 4, embedded: 4 })
            assert.deepStrictEqual(yield* state, { ...fitted, rows: 24 })
            assert.include(yield* searchPaths("page 23", { mode: "lexical" }), "p23.md")

            write(24, 40)
            yield* runIndex()
            const again = yield* state
            assert.strictEqual(again.rows, 40)
            assert.notStrictEqual(again.id, fitted.id)
            assert.notStrictEqual(again.fingerprint, fitted.fingerprint)
          }),
          "embedder: { use: lsa }"
        )
      }).pipe(Effect.scoped)
  )
})
