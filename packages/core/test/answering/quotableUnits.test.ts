import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { cutRange, longestQuote, quotableUnits } from "../../src/answering/quotableUnits.ts"
import { passage } from "@omnirag/testkit/passages"

const units = (text: string, bodyOffset = 0) => {
  const { chunk } = passage(1, text).hit
  return quotableUnits({ ...chunk, bodyOffset, start: 100, end: 100 + text.length - bodyOffset })
}
const shown = (text: string) => units(text).map(({ kind, text: quoted }) => `${kind}: ${quoted}`)

describe("quotableUnits", () => {
  it("sentences and items, without headings, comments, rules and pictures", () => {
    assert.deepStrictEqual(
      shown(
        "# Title\n\nOne thing. Another thing!\n\n<!-- hidden words -->\n\n![logo](a.png)\n\n---\n\n- first item\n- second item\n"
      ),
      ["prose: One thing.", "prose: Another thing!", "item: - first item", "item: - second item"]
    )
  })

  it("a line that leads in comes together with what it introduces; the items are there by themselves, too", () => {
    assert.deepStrictEqual(shown("Supported databases:\n\n* MySQL\n* MariaDB\n"), [
      "item: Supported databases:\n\n* MySQL\n* MariaDB",
      "item: * MySQL",
      "item: * MariaDB"
    ])
    assert.deepStrictEqual(shown("Run this:\n\n```sh\nmake\n```\n"), ["code: Run this:\n\n```sh\nmake\n```"])
  })

  it("the first rows of a table carry their header, later ones stand alone", () => {
    const rows = ["| key | value |", "|---|---|", `| a | ${"x".repeat(200)} |`, `| b | ${"y".repeat(200)} |`]
    assert.deepStrictEqual(shown(rows.join("\n")), [`row: ${rows.slice(0, 3).join("\n")}`, `row: ${rows[3]}`])
    assert.deepStrictEqual(
      units(rows.join("\n")).map(({ context }) => context),
      [rows[0], rows[0]]
    )
  })

  it("keeps a fence that was reopened before the body one piece of code", () => {
    const context = "Guide\n```ts\n"
    const found = units(`${context}const a = 1. \nconst b = 2\n\`\`\``, context.length)
    assert.deepStrictEqual(
      found.map(({ start, end, kind, text }) => ({ start, end, kind, text })),
      [{ start: 100, end: 128, kind: "code", text: "const a = 1. \nconst b = 2\n```" }].map((unit) => ({
        ...unit,
        end: 100 + unit.text.length
      }))
    )
  })

  it("a line of nothing but links and pictures says nothing", () => {
    assert.deepStrictEqual(
      shown("[![build](b.svg)](https://ci) <br>\n\n- [Install](#install)\n- [Use](#use) it\n"),
      ["item: - [Use](#use) it"]
    )
  })

  it("takes brackets, tags and comments that are never closed in its stride", () => {
    for (const part of ["[", "![", "<", "<!--", "[](", "| ", "> ", "`", "- "]) {
      assert.isArray(units(part.repeat(2_000)))
      assert.isArray(units(`words ${part.repeat(2_000)}`))
    }
  })

  it("cuts what is too long at a line, a clause or a blank, and never a character", () => {
    const cut = (text: string, limit: number) =>
      cutRange(text, { start: 0, end: text.length }, limit).map(({ start, end }) => text.slice(start, end))
    assert.deepStrictEqual(cut("one two, three four; five six", 20), ["one two, three four;", "five six"])
    assert.deepStrictEqual(cut("aaaa bbbb\ncccc dddd", 12), ["aaaa bbbb", "cccc dddd"])
    assert.deepStrictEqual(cut("aaaaaaaaaa", 4), ["aaaa", "aaaa", "aa"])
    assert.deepStrictEqual(cut("😀😀😀", 3), ["😀", "😀", "😀"])
  })

  const block = fc.constantFrom(
    "# Heading",
    "Words that say something. More of them follow here!",
    "A list:",
    "- an item\n- another: with a colon",
    "1. first\n2. second",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "```ts\nconst x = [1]\n```",
    "```\nnever closed",
    "<!-- hidden -->",
    `${"long ".repeat(300)}`,
    "😀".repeat(400),
    "> quoted words, with a clause; and another"
  )
  it("gives verbatim ranges in bounds, none too long, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 8 }),
        fc.constantFrom("\n\n", "\n", "\r\n"),
        (blocks, joint) => {
          const text = blocks.join(joint)
          for (const unit of units(text)) {
            assert.isTrue(unit.start >= 100 && unit.end <= 100 + text.length && unit.start < unit.end)
            assert.strictEqual(text.slice(unit.start - 100, unit.end - 100), unit.text)
            assert.isAtMost(unit.text.length, longestQuote)
            assert.isTrue(unit.text.isWellFormed())
          }
        }
      )
    )
  })
})
