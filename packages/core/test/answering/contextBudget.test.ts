import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cutToFit, estimateTokens, fitByRank } from "../../src/answering/contextBudget.ts"

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.lorem({ mode: "sentences", maxCount: 20 })
)

describe("estimateTokens", () => {
  it("is above what common vocabularies need", () => {
    // counted with the vocabulary of GPT-4 (cl100k), which llama3's extends
    const counted: ReadonlyArray<readonly [string, number]> = [
      ["", 0],
      ["The quick brown fox jumps over the lazy dog.", 10],
      ["const answer = await retriever.search({ query, topK: 5 })", 14],
      ["1234567890", 4],
      ["検索拡張生成", 9],
      ["🚀🚀🚀", 6]
    ]
    for (const [sample, tokens] of counted) {
      assert.isAtLeast(estimateTokens(sample), Math.min(tokens, Math.ceil(tokens * 0.8)), sample)
    }
  })
  it("counts dense text higher than prose of the same length", () => {
    const prose = "plain words and nothing else ".repeat(40)
    assert.isAbove(
      estimateTokens("QUJDRGVmZ2hp".repeat(100).slice(0, prose.length)),
      1.4 * estimateTokens(prose)
    )
  })
  it("never shrinks when text is added", () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        assert.isAtLeast(estimateTokens(first + second), estimateTokens(first))
      })
    )
  })
})

describe("cutToFit", () => {
  it("gives a beginning that fits, whole when the whole fits, and never half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (sample, budget) => {
        const cut = cutToFit(sample, budget, estimateTokens)
        assert.isTrue(sample.startsWith(cut))
        assert.isAtMost(estimateTokens(cut), budget)
        assert.isTrue(cut.isWellFormed())
        if (estimateTokens(sample) <= budget) assert.strictEqual(cut, sample)
      })
    )
  })
  it("cuts after a sentence where there is one in the second half", () => {
    const cost = (part: string) => part.length
    assert.strictEqual(
      cutToFit("One is first. Two is second. Three is third.", 36, cost),
      "One is first. Two is second."
    )
    assert.strictEqual(cutToFit("no sentence ends in this line of words", 20, cost), "no sentence ends in")
  })
})

describe("fitByRank", () => {
  const cost = (_: string, part: string) => part.length
  const fit = (items: ReadonlyArray<string>, budget: number) => fitByRank(items, (item) => item, cost, budget)
  it("drops the lowest ranks first, never a higher one for a lower one", () => {
    assert.deepStrictEqual(fit(["aaaa", "bbbbbb", "c"], 6), {
      kept: [{ item: "aaaa", text: "aaaa", cut: false }],
      dropped: ["bbbbbb", "c"]
    })
  })
  it("cuts the first when not even that fits", () => {
    assert.deepStrictEqual(fit(["one two three", "b"], 8), {
      kept: [{ item: "one two three", text: "one two", cut: true }],
      dropped: ["b"]
    })
    assert.deepStrictEqual(fit(["abc", "b"], 0), { kept: [], dropped: ["abc", "b"] })
  })
  it("keeps everything in its order when it fits, and always stays in the budget", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 })),
        fc.integer({ min: 0, max: 100 }),
        (items, budget) => {
          const { kept, dropped } = fit(items, budget)
          assert.deepStrictEqual([...kept.map(({ item }) => item), ...dropped], items)
          assert.isAtMost(
            kept.reduce((sum, { text: part }) => sum + part.length, 0),
            budget
          )
        }
      )
    )
  })
})
