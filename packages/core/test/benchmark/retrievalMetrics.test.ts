import { assert, describe, it } from "vitest"
import { ndcgAt, recallAt, reciprocalRank } from "@omnirag/core/app"

describe("retrieval metrics", () => {
  const graded = { grades: [0, 3, 0, 1], ideal: [1, 3, 2] }

  it("recall is the share of the relevant documents among the first k", () => {
    assert.deepStrictEqual(
      [1, 2, 4, 10].map((k) => recallAt(graded, k)),
      [0, 1 / 3, 2 / 3, 2 / 3]
    )
  })

  it("the reciprocal rank is that of the first relevant document", () => {
    assert.strictEqual(reciprocalRank(graded), 0.5)
    assert.strictEqual(reciprocalRank({ grades: [0, 0], ideal: [1] }), 0)
  })

  it("nDCG compares with the best order of all relevant documents", () => {
    const found = 3 / Math.log2(3) + 1 / Math.log2(5)
    const best = 3 + 2 / Math.log2(3) + 1 / 2
    assert.closeTo(ndcgAt(graded, 10), found / best, 1e-12)
    assert.closeTo(ndcgAt(graded, 2), 3 / Math.log2(3) / (3 + 2 / Math.log2(3)), 1e-12)
    assert.strictEqual(ndcgAt({ grades: [3, 2, 1], ideal: [1, 2, 3] }, 10), 1)
  })

  it("a question without relevant documents counts 0", () => {
    const none = { grades: [0], ideal: [] }
    assert.deepStrictEqual([recallAt(none, 5), reciprocalRank(none), ndcgAt(none, 10)], [0, 0, 0])
  })
})
