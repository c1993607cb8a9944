import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isBlank, splitIntoWindows } from "../../src/ollama/windows.ts"

const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 }),
  fc.lorem({ mode: "sentences", maxCount: 30 })
)
const cost = (part: string) => part.length

describe("splitIntoWindows", () => {
  it("keeps every character that is not blank, in order, whole, and each window in the budget", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 100 }), (sample, budget) => {
        const windows = splitIntoWindows(sample, budget, cost)
        const visible = (part: string) => [...part].filter((character) => !isBlank(character)).join("")
        assert.strictEqual(visible(windows.join("")), visible(sample))
        for (const window of windows) {
          assert.isAtMost(window.length, budget)
          assert.isTrue(window.isWellFormed())
        }
      })
    )
  })
  it("cuts at words where there are some", () => {
    assert.deepStrictEqual(splitIntoWindows("one two three four", 10, cost), ["one two ", "three four"])
  })
  it("leaves a text that fits as it is", () => {
    assert.deepStrictEqual(splitIntoWindows("one two", 7, cost), ["one two"])
  })
})

describe("isBlank", () => {
  const cases: ReadonlyArray<readonly [string, boolean]> = [
    ["", true],
    [" \t\r\n\u00a0", true],
    ["\0\u0007", true],
    ["\u200b\ufeff\u2060", true],
    ["\ud800", true],
    ["a", false],
    ["字", false],
    ["🚀", false],
    [".", false],
    ["\0a", false]
  ]
  for (const [sample, blank] of cases) {
    it(`${JSON.stringify(sample)} is ${blank ? "blank" : "not"}`, () =>
      assert.strictEqual(isBlank(sample), blank))
  }
})
