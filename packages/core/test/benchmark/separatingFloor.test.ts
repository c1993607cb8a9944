import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { effectOf, type JudgedQuestion, separatingFloor } from "../../src/benchmark/separatingFloor.ts"

const questions = (answerable: ReadonlyArray<number>, unanswerable: ReadonlyArray<number>) => [
  ...answerable.map((relevance) => ({ answerable: true, relevance })),
  ...unanswerable.map((relevance) => ({ answerable: false, relevance }))
]

describe("separatingFloor", () => {
  it("stands in the middle of the gap between the two kinds", () => {
    assert.deepStrictEqual(separatingFloor(questions([0.75, 0.9], [0.25, 0.1])), {
      floor: 0.5,
      kept: 2,
      rejected: 2
    })
  })

  it("takes the widest of the gaps that separate equally well", () => {
    assert.deepStrictEqual(separatingFloor(questions([0.875, 0.25], [0.125, 0.375])), {
      floor: 0.625,
      kept: 1,
      rejected: 2
    })
  })

  it("weighs both kinds the same, however many there are of each", () => {
    const many = questions(
      Array.from({ length: 20 }, (_, n) => 0.5 + n / 100),
      [0.625]
    )
    assert.deepStrictEqual(separatingFloor(many)?.kept, 7)
  })

  it("needs both kinds", () => {
    assert.isUndefined(separatingFloor(questions([0.5], [])))
    assert.isUndefined(separatingFloor(questions([], [0.5])))
  })

  it("no other floor does better", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 })
    const mean = (all: ReadonlyArray<JudgedQuestion>, floor: number) => {
      const { kept, rejected } = effectOf(all, floor)
      const answerable = all.filter((question) => question.answerable).length
      return kept / answerable + rejected / (all.length - answerable)
    }
    fc.assert(
      fc.property(scores, scores, fc.nat(100), (kept, rejected, other) => {
        const all = questions(
          kept.map((n) => n / 20),
          rejected.map((n) => n / 20)
        )
        const best = separatingFloor(all)?.floor ?? assert.fail()
        assert.isAtLeast(mean(all, best), mean(all, other / 100) - 1e-9)
      })
    )
  })
})
