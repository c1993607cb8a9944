import { assert, describe, it } from "vitest"
import { fuseReciprocalRank, fuseScaled, scaleScores } from "@omnirag/core/app"

const list = (...scores: ReadonlyArray<readonly [string, number]>) =>
  scores.map(([id, score]) => ({ id, score }))

describe("fusion", () => {
  it("scales a list from 1 at its top to 0 at its end", () => {
    assert.deepStrictEqual(
      scaleScores(list(["a", 9], ["b", 6], ["c", 3])),
      list(["a", 1], ["b", 0.5], ["c", 0])
    )
    assert.deepStrictEqual(scaleScores(list(["a", 4], ["b", 4])), list(["a", 1], ["b", 1]))
    assert.deepStrictEqual(scaleScores([]), [])
  })

  it("adds scaled scores by weight; what a list lacks gets 0 from it", () => {
    const fused = fuseScaled([
      { weight: 0.25, hits: list(["a", 9], ["b", 6], ["c", 3]) },
      { weight: 0.75, hits: list(["b", 0.9], ["d", 0.1]) }
    ])
    assert.deepStrictEqual(
      [...fused],
      [
        ["a", 0.25],
        ["b", 0.125 + 0.75],
        ["c", 0],
        ["d", 0]
      ]
    )
  })

  it("adds reciprocal ranks by weight, whatever the scores are", () => {
    const fused = fuseReciprocalRank([
      { weight: 1, hits: list(["a", 1000], ["b", 1]) },
      { weight: 2, hits: list(["b", 0.2]) }
    ])
    assert.deepStrictEqual(
      [...fused],
      [
        ["a", 1 / 61],
        ["b", 1 / 62 + 2 / 61]
      ]
    )
  })
})
