import { assert, describe, it } from "@effect/vitest"
import { definePlugin, Reranker, RetrievalBenchmark, Retriever } from "@omnirag/core/app"
import { Effect, Layer, Schema } from "effect"
import { inSystem, makeWorld, runIndex, type TestWorld } from "@omnirag/testkit/TestSystem"

/** A world whose reranker scores as told. */
const worldWith = (score: (texts: ReadonlyArray<string>) => ReadonlyArray<number>) =>
  Effect.map(makeWorld, (world): TestWorld => {
    const scripted = definePlugin({
      kind: "reranker",
      name: "scripted",
      description: "Scores as the test says",
      options: Schema.Struct({}),
      layer: () =>
        Layer.succeed(Reranker, {
          name: "scripted",
          candidateFactor: 3,
          score: (_, texts) => Effect.sync(() => score(texts))
        })
    })
    world.plugins = { ...world.plugins, reranker: [...world.plugins.reranker, scripted] }
    for (const letter of ["a", "b", "c", "d"]) {
      world.corpus.write(
        `${letter}.md`,
        `# ${letter}\n\nThe walrus ${"sleeps ".repeat(letter.charCodeAt(0) - 96)}.\n`
      )
    }
    return world
  })

/** The paths found with and without the reranker, the scores and the warnings. */
const found = (world: TestWorld, topK: number) =>
  inSystem(
    world,
    Effect.gen(function* () {
      yield* runIndex()
      const retriever = yield* Retriever
      const request = { query: "walrus", topK, mode: "lexical" as const }
      const given = yield* retriever.search(request)
      const reranked = yield* retriever.search({ ...request, rerank: true })
      return {
        given: given.hits.map(({ path }) => path),
        reranked: reranked.hits.map(({ path }) => path),
        scores: reranked.hits.map(({ scores }) => scores.rerank),
        warnings: reranked.warnings.map(({ message }) => message)
      }
    }),
    "reranker: { use: scripted }\nindexing: { minimumChunkLength: 0 }"
  )

describe("scores of a reranker", () => {
  it.effect("that are equal keep the given order", () =>
    Effect.gen(function* () {
      const { given, reranked, scores, warnings } = yield* found(
        yield* worldWith((texts) => texts.map(() => 0.5)),
        4
      )
      assert.deepStrictEqual(reranked, given)
      assert.deepStrictEqual([scores, warnings], [[0.5, 0.5, 0.5, 0.5], []])
    })
  )

  it.effect("may be fewer than hits were asked for", () =>
    Effect.gen(function* () {
      const { given, reranked } = yield* found(
        yield* worldWith((texts) => texts.map((_, index) => index)),
        50
      )
      assert.strictEqual(given.length, 4)
      assert.deepStrictEqual(reranked, given.toReversed())
    })
  )

  const faults: ReadonlyArray<
    readonly [string, (texts: ReadonlyArray<string>) => ReadonlyArray<number>, string]
  > = [
    [
      "NaN",
      (texts) => texts.map((_, index) => (index === 1 ? Number.NaN : index)),
      "scripted gave a score that is not finite"
    ],
    [
      "infinite",
      (texts) => texts.map(() => Number.POSITIVE_INFINITY),
      "scripted gave a score that is not finite"
    ],
    ["too few", (texts) => texts.slice(1).map(() => 1), "scripted gave 3 scores for 4 passages"],
    ["too many", (texts) => [...texts, ""].map(() => 1), "scripted gave 5 scores for 4 passages"]
  ]
  for (const [what, score, message] of faults) {
    it.effect(`that are ${what} leave the given order, with a warning`, () =>
      Effect.gen(function* () {
        const { given, reranked, scores, warnings } = yield* found(yield* worldWith(score), 4)
        assert.deepStrictEqual(reranked, given)
        assert.deepStrictEqual(scores, [null, null, null, null])
        assert.deepStrictEqual(warnings, [`the hits were not reranked: ${message}`])
      })
    )
  }
})

describe("an evaluation with a reranker", () => {
  it.effect("scores three times as many passages as it is told to ask for", () =>
    Effect.gen(function* () {
      const scored: Array<number> = []
      const world = yield* worldWith((texts) => {
        scored.push(texts.length)
        return texts.map((_, index) => index)
      })
      const cases = [{ query: "walrus", expected_source_contains: "c.md" }]
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const benchmark = yield* RetrievalBenchmark
          const options = { mode: "lexical", rerank: true } as const
          // the third and last of the candidates comes first; with all of them the fourth does
          const one = yield* benchmark.measure(cases, { ...options, topK: 1 })
          const all = yield* benchmark.measure(cases, options)
          assert.deepStrictEqual([one.mrr, all.mrr], [1, 0.5])
        }),
        "reranker: { use: scripted }\nindexing: { minimumChunkLength: 0 }"
      )
      assert.deepStrictEqual(scored, [3, 4])
    })
  )
})
