import { assert, describe, it } from "@effect/vitest"
import { textParts } from "../src/sqlite/textParts.ts"

const part = 1 << 20

describe("the parts of a text", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<number>]> = [
    ["an empty text", "", [0]],
    ["a short text", "abc", [3]],
    ["a text of one part", "x".repeat(part), [part]],
    ["a text one longer", "x".repeat(part + 1), [part, 1]],
    ["a pair of surrogates over the border", `${"x".repeat(part - 1)}😀y`, [part + 1, 1]],
    ["a pair of surrogates before the border", `${"x".repeat(part - 2)}😀y`, [part, 1]],
    ["a pair of surrogates at the end", `${"x".repeat(part - 1)}😀`, [part + 1]]
  ]
  for (const [what, text, lengths] of cases) {
    it(what, () => {
      const parts = [...textParts(text)]
      assert.deepStrictEqual(
        parts.map(({ length }) => length),
        lengths
      )
      assert.isTrue(parts.join("") === text)
      for (const one of parts) assert.isTrue(one.isWellFormed())
    })
  }
})
