import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { rocchio } from "../../src/retrieval/feedback.ts"

const vector = (...values: ReadonlyArray<number>) => Float32Array.from(values)
const rounded = (values: Float32Array) => Array.from(values, (value) => Math.round(value * 1e4) / 1e4)

describe("rocchio", () => {
  it("moves the question towards a passage by its share", () => {
    // (1, 0) + 3/4 · (0, 1), over its length of 5/4
    expect(rounded(rocchio(vector(1, 0), [{ vector: vector(0, 1), weight: 3 }], 0.75))).toEqual([0.8, 0.6])
  })

  it("weighs the passages against each other", () => {
    const passages = [
      { vector: vector(0, 1, 0), weight: 3 },
      { vector: vector(0, 0, 1), weight: 1 }
    ]
    // (1, 0, 0) + 2 · (0, 3/4, 1/4), over its length
    expect(rounded(rocchio(vector(1, 0, 0), passages, 2))).toEqual([0.5345, 0.8018, 0.2673])
  })

  it("takes the passages alone for a question without known words", () => {
    expect(rounded(rocchio(vector(0, 0), [{ vector: vector(0, 1), weight: 0.5 }]))).toEqual([0, 1])
  })

  it("leaves the question alone when there is nothing to learn from", () => {
    const question = vector(0.6, 0.8)
    expect(rocchio(question, [])).toBe(question)
    expect(rocchio(question, [{ vector: vector(1, 0), weight: 0 }])).toBe(question)
    expect(rocchio(question, [{ vector: vector(-0.6, -0.8), weight: 1 }])).toEqual(question)
  })

  it("gives a unit vector or zero", () => {
    const component = fc.float({ min: -1, max: 1, noNaN: true })
    const any = fc.array(component, { minLength: 4, maxLength: 4 }).map((values) => vector(...values))
    fc.assert(
      fc.property(
        any,
        fc.array(fc.record({ vector: any, weight: fc.nat({ max: 9 }) })),
        (question, passages) => {
          const mixed = rocchio(question, passages)
          if (mixed === question) return
          expect(Math.hypot(...mixed)).toBeCloseTo(1, 5)
        }
      )
    )
  })
})
