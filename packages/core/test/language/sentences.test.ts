import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sentences } from "../../src/language/sentences.ts"

const split = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end))

describe("sentences", () => {
  it.each<[text: string, parts: Array<string>]>([
    ["One. Two!  Three?\nFour", ["One.", "Two!", "Three?", "Four"]],
    [
      "See e.g. Fig. 2 by Dr. J. Smith. It is 3.11, in file.ts.",
      ["See e.g. Fig. 2 by Dr. J. Smith.", "It is 3.11, in file.ts."]
    ],
    ['He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]],
    ["Call `a. B` now. Done", ["Call `a. B` now.", "Done"]],
    ["A lone ` tick. Next", ["A lone ` tick.", "Next"]],
    ["the results are good .  they agree", ["the results are good .", "they agree"]],
    ["你好。世界！「好。」结束", ["你好。", "世界！", "「好。」", "结束"]],
    ["# 1. Head. Line\ntext\n\nmore", ["# 1. Head. Line", "text", "more"]],
    ["Title\n=====\ntext", ["Title", "text"]],
    ["- a\n- b. C\n  continued\n2. d", ["- a", "- b.", "C\n  continued", "2. d"]],
    ["x\n```ts\na. B\n\nC. D\n```\ny", ["x", "```ts\na. B\n\nC. D\n```", "y"]],
    ["````\n```\na. B\n````\nx", ["````\n```\na. B\n````", "x"]],
    ["~~~\nopen. To the end", ["~~~\nopen. To the end"]],
    ["| a. B | c |\n|---|---|\n| 1. X | 2 |", ["| a. B | c |", "|---|---|", "| 1. X | 2 |"]],
    ["a. B | c\n--|--\n1. X | 2\n\nend", ["a. B | c", "--|--", "1. X | 2", "end"]],
    ["", []],
    [" \n\t\r\n", []]
  ])("%j", (text, parts) => {
    expect(split(text)).toEqual(parts)
  })

  it("gives ordered, trimmed ranges that hold every letter and digit", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "",
        "```",
        "~~~ts",
        "# H",
        "- item. Two",
        "| a. B |",
        "---|---",
        "***",
        "> q. R",
        "`c. D`",
        "好。"
      )
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join("\n")
        let position = 0
        let outside = ""
        for (const { start, end } of sentences(text)) {
          expect(start).toBeGreaterThanOrEqual(position)
          expect(end).toBeGreaterThan(start)
          expect(text.slice(start, end).trim()).toBe(text.slice(start, end))
          outside += text.slice(position, start)
          position = end
        }
        expect(position).toBeLessThanOrEqual(text.length)
        expect(outside + text.slice(position)).not.toMatch(/[\p{L}\p{N}]/u)
      }),
      { numRuns: 500 }
    )
  })
})
