import { assert, it } from "@effect/vitest"
import { Effect, Fiber, type Layer } from "effect"
import { Reranker } from "../ports/Reranker.ts"

/** A question with passages from the best to the worst, each clearly better than the next. */
export interface RerankerSample {
  readonly question: string
  readonly ranked: readonly [string, string, ...ReadonlyArray<string>]
}

export interface RerankerConformanceOptions<E> {
  readonly name: string
  readonly layer: Layer.Layer<Reranker, E>
  readonly samples: readonly [RerankerSample, ...ReadonlyArray<RerankerSample>]
  /** How far the score of a text may move with its neighbours; 0 for a reranker that scores each text alone. */
  readonly tolerance?: number
}

/** Texts that trip tokenizers up; each must get a score like any other. */
const awkward = [
  "",
  " \n\t",
  "\0",
  "\ud800 half a character",
  "👩‍👩‍👧‍👦".repeat(50),
  "漢字 ".repeat(200),
  "x".repeat(20_000)
]

/**
 * What every reranker promises, for plugin authors: call it in a test file. One finite score for each text, in the
 * order of the texts, higher for the better passage, whatever the order they come in.
 */
export const rerankerConformance = <E>(options: RerankerConformanceOptions<E>): void => {
  const { name, samples } = options
  const [{ question, ranked }] = samples
  const tolerance = options.tolerance ?? 0

  it.layer(options.layer, { excludeTestServices: true, timeout: "2 minutes" })(
    `${name} keeps the contract of a reranker`,
    (it) => {
      it.effect("asks for at least one candidate for each hit", () =>
        Effect.gen(function* () {
          const reranker = yield* Reranker
          assert.notStrictEqual(reranker.name, "")
          assert.isTrue(Number.isInteger(reranker.candidateFactor) && reranker.candidateFactor >= 1)
        })
      )

      it.effect("gives no score for no text", () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* (yield* Reranker).score(question, []), [])
        })
      )

      for (const sample of samples) {
        it.effect(`puts the better passage higher: ${sample.question}`, () =>
          Effect.gen(function* () {
            const scores = yield* (yield* Reranker).score(sample.question, sample.ranked)
            assert.strictEqual(scores.length, sample.ranked.length)
            assert.deepStrictEqual(
              scores,
              scores.toSorted((a, b) => b - a)
            )
            assert.strictEqual(new Set(scores).size, scores.length, "no two are equal")
          })
        )
      }

      it.effect("scores a text the same wherever it stands, alone and twice", () =>
        Effect.gen(function* () {
          const reranker = yield* Reranker
          const texts = [...ranked.toReversed(), ...awkward, ...ranked]
          const forwards = yield* reranker.score(question, texts)
          const backwards = yield* reranker.score(question, texts.toReversed())
          const alone = yield* Effect.forEach(texts, (text) => reranker.score(question, [text]))
          assert.strictEqual(forwards.length, texts.length)
          forwards.forEach((score, index) => {
            assert.isTrue(
              Number.isFinite(score),
              `the score of ${JSON.stringify(texts[index]?.slice(0, 40))}`
            )
            assert.closeTo(backwards.toReversed()[index] ?? Number.NaN, score, tolerance)
            assert.closeTo(alone[index]?.[0] ?? Number.NaN, score, tolerance)
          })
        })
      )

      it.effect("serves several questions at once", () =>
        Effect.gen(function* () {
          const reranker = yield* Reranker
          const one = yield* reranker.score(question, ranked)
          const many = yield* Effect.forEach(
            [1, 2, 3, 4, 5, 6, 7, 8],
            () => reranker.score(question, ranked),
            {
              concurrency: "unbounded"
            }
          )
          for (const scores of many) {
            scores.forEach((score, index) => assert.closeTo(score, one[index] ?? Number.NaN, tolerance))
          }
        })
      )

      it.effect("works on after a caller has left", () =>
        Effect.gen(function* () {
          const reranker = yield* Reranker
          const caller = yield* Effect.forkChild(
            reranker.score(
              question,
              Array.from({ length: 200 }, (_, index) => `${ranked[0]} ${index}`)
            ),
            { startImmediately: true }
          )
          yield* Fiber.interrupt(caller)
          assert.strictEqual((yield* reranker.score(question, ranked)).length, ranked.length)
        })
      )
    }
  )
}
