import { assert, describe, it } from "@effect/vitest"
import { chunkFaults, sampleDocument } from "@omnirag/core/testing"
import { defaults, split, textsOf } from "./splitting.ts"

const sound = (text: string, options: Partial<typeof defaults> = {}) => {
  const chunks = split(text, options)
  assert.deepStrictEqual(chunkFaults(sampleDocument(text), chunks, { ...defaults, ...options }), [])
  return chunks
}

/** The back-tick fences of a text come in pairs, each opened with the same info string. */
const fencesOf = (text: string) => text.split(/\r\n|\n/).filter((line) => line.trimStart().startsWith("```"))

describe("oversized blocks", () => {
  it("closes and reopens a fence", () => {
    const chunks = sound(`# A\n\`\`\`\n${"x = 1\n".repeat(2_000)}\`\`\``)
    assert.isAbove(chunks.length, 6)
    assert.isTrue(chunks[0]?.text.startsWith("# A\n```\nx = 1\n"))
    for (const chunk of chunks.slice(1)) assert.isTrue(chunk.text.startsWith("A\n```\nx = 1\n"))
    for (const chunk of chunks) {
      assert.isTrue(chunk.text.endsWith("\nx = 1\n```"))
      assert.deepStrictEqual(fencesOf(chunk.text), ["```", "```"])
      assert.deepStrictEqual(chunk.headingPath, ["A"])
    }
  })

  it("covers an unterminated fence and finds what is in it (T1)", () => {
    const text = "# A\nalpha\n\n```ts\nconst x = 1\n\n## B\nbravo zebra\n"
    const chunks = sound(text)
    assert.strictEqual(chunks.filter((chunk) => chunk.text.includes("zebra")).length, 1)
    assert.deepStrictEqual(textsOf(chunks), ["# A\nalpha\n\n```ts\nconst x = 1\n\n## B\nbravo zebra\n```"])
  })

  it("keeps the info string and the indentation of a fence in a list item (T2)", () => {
    const lines = Array.from({ length: 60 }, (_, line) =>
      line === 0 ? "# not a heading" : `run step ${line}`
    )
    const text = `# Guide\n\n1. Do this:\n\n   \`\`\`sh\n${lines.map((line) => `   ${line}\n`).join("")}   \`\`\`\n\n2. Then that.\n`
    const chunks = sound(text, { maxLength: 300 })
    for (const chunk of chunks) {
      assert.deepStrictEqual(chunk.headingPath, ["Guide"])
      const fences = fencesOf(chunk.text)
      assert.deepStrictEqual(fences, fences.length === 0 ? [] : ["   ```sh", "   ```"])
    }
    assert.strictEqual(chunks.length, 4)
  })

  it("reopens a fence on the line of a list marker, in a quote, and with tildes", () => {
    const body = "call it again\n".repeat(30)
    const inItem = sound(`- ~~~js\n${body.replace(/^(?=.)/gm, "  ")}  ~~~`, { maxLength: 150 })
    assert.isTrue(inItem[0]?.text.startsWith("- ~~~js\n  call"))
    for (const chunk of inItem.slice(1)) assert.isTrue(chunk.text.startsWith("  ~~~js\n  call"))
    for (const chunk of inItem) assert.isTrue(chunk.text.endsWith("\n  ~~~"))

    const inQuote = sound(`> ~~~~js\n${body.replace(/^(?=.)/gm, "> ")}> ~~~~`, { maxLength: 150 })
    for (const chunk of inQuote) {
      assert.isTrue(chunk.text.startsWith("> ~~~~js\n> call"))
      assert.isTrue(chunk.text.endsWith("\n> ~~~~"))
    }
  })

  it("closes an unterminated fence at the end of a list item", () => {
    const [chunk] = sound("- a\n\n  ```\n  code")
    assert.strictEqual(chunk?.text, "- a\n\n  ```\n  code\n  ```")
  })

  it("prefers blank lines in code", () => {
    const part = `${"line of code\n".repeat(8)}`
    const chunks = sound(`\`\`\`\n${Array.from({ length: 6 }, () => part).join("\n")}\`\`\``, {
      maxLength: 300
    })
    for (const chunk of chunks) {
      assert.strictEqual(chunk.text.match(/line of code/g)?.length, 16)
    }
  })

  it("cuts a line of code only when it is above the limit", () => {
    const chunks = sound(`\`\`\`\nshort\n${"y".repeat(500)}\nshort\n\`\`\``, { maxLength: 200 })
    for (const chunk of chunks) assert.deepStrictEqual(fencesOf(chunk.text), ["```", "```"])
    assert.strictEqual(chunks[0]?.text, "```\nshort\n```")
  })

  it("repeats header and separator of a table and cuts no row (T3)", () => {
    const header = "| name | value | note |\n|------|:-----:|------|"
    const rows = Array.from({ length: 200 }, (_, row) => `| row ${row} | ${row * row} | about ${row} |`)
    const chunks = sound(`# T\n\nIntro.\n\n${header}\n${rows.join("\n")}\n\nEnd.\n`, { maxLength: 500 })
    assert.isAbove(chunks.length, 10)
    for (const chunk of chunks) {
      assert.include(chunk.text, `${header}\n| row `)
      assert.strictEqual(chunk.text.split(header).length, 2)
    }
    const seen = chunks.flatMap((chunk) => chunk.text.split("\n").filter((line) => line.startsWith("| row ")))
    assert.deepStrictEqual(seen, rows)
  })

  it("keeps the separator of a header of two rows (T3)", () => {
    const header = "| group | |\n| name | value |\n|---|---|"
    const rows = Array.from({ length: 60 }, (_, row) => `| row ${row} | ${row} |`)
    for (const chunk of sound(`${header}\n${rows.join("\n")}`, { maxLength: 200 })) {
      assert.isTrue(chunk.text.startsWith(`${header}\n| row `))
    }
  })

  it("cuts a row only when it is above the limit", () => {
    const wide = `| ${"cell ".repeat(60)}| b |`
    const text = `| a | b |\n|---|---|\n| short | b |\n${wide}\n| last | b |`
    const chunks = sound(text, { maxLength: 200 })
    for (const chunk of chunks) assert.isTrue(chunk.text.startsWith("| a | b |\n|---|---|\n"))
    assert.isTrue(chunks[0]?.text.endsWith("| short | b |"))
    assert.isTrue(chunks.at(-1)?.text.endsWith("| last | b |"))
  })

  it("leaves the header out where a row fits only without it, and shortens one that is too long", () => {
    const header = `| ${"h".repeat(70)} | b |\n|---|---|`
    const row = `| ${"r".repeat(150)} | b |`
    const [first, second] = sound(`${header}\n${row}\n${row}`, { maxLength: 200 })
    assert.strictEqual(first?.text, header)
    assert.strictEqual(second?.text, row)

    const long = `| ${"h".repeat(300)} | other |\n|---|---|\n${"| a | b |\n".repeat(40)}`
    for (const chunk of sound(long, { maxLength: 200 }).slice(3)) {
      assert.match(chunk.text, /^\| h+… \| other \|\n\|---\|---\|\n\| a \| b \|/)
    }
  })

  it("keeps items of nested lists whole, with their indentation", () => {
    const text = `# A\n${"- item text here\n  - nested item text\n".repeat(80)}`
    const chunks = sound(text)
    assert.strictEqual(chunks.length, 2)
    for (const chunk of chunks) {
      assert.match(chunk.text, /^(# )?A\n- item text here\n {2}- nested item text\n/)
      assert.isTrue(chunk.text.endsWith("- item text here\n  - nested item text"))
    }
  })

  it("splits an item that is too long at its nested items", () => {
    const text = `- top\n${"  - nested item text\n".repeat(30)}`
    const chunks = sound(text, { maxLength: 200 })
    assert.isTrue(chunks[0]?.text.startsWith("- top\n  - nested item text\n"))
    for (const chunk of chunks.slice(1)) assert.isTrue(chunk.text.startsWith("  - nested item text\n"))
    for (const chunk of chunks) assert.isTrue(chunk.text.endsWith("  - nested item text"))
  })

  it("cuts paragraphs after sentences, and packs CRLF paragraphs", () => {
    const sentence = "This is a sentence of some words, e.g. this one."
    for (const chunk of sound(`${sentence} `.repeat(100))) assert.isTrue(chunk.text.endsWith("this one."))
    const paragraph = "word ".repeat(100).trim()
    const text = `# A\r\n${Array.from({ length: 8 }, () => paragraph).join("\r\n\r\n")}`
    assert.deepStrictEqual(
      sound(text).map((chunk) => chunk.text.split("\r\n\r\n").map((part) => part.length)),
      [
        [504, 499, 499],
        [501, 499, 499],
        [501, 499]
      ]
    )
  })

  it("cuts text without spaces hard, after full stops where it has them", () => {
    const chunks = sound(`# A\n${"字".repeat(4_500)}`)
    assert.deepStrictEqual(
      chunks.map((chunk) => chunk.text.length),
      [2_000, 2_000, 508]
    )
    for (const chunk of sound("漢字の文です。".repeat(1_000))) assert.isTrue(chunk.text.endsWith("。"))
  })

  it("makes no tiny piece", () => {
    const early = sound(`# A\nab ${"字".repeat(4_500)}`)
    assert.isAbove(Math.min(...early.map((chunk) => chunk.end - chunk.start)), 100)
    const tail = sound(`${"word ".repeat(399)}wxyz.\n\nok`)
    assert.deepStrictEqual(tail.length, 2)
    assert.isAtLeast(Math.min(...tail.map((chunk) => chunk.end - chunk.start)), 10)
    const item = sound(`${"- an item of a list\n".repeat(10)}- b`, { maxLength: 200 })
    assert.deepStrictEqual(textsOf(item).at(-1), "- an item of a list\n- b")
    const end = sound("x".repeat(2_003))
    assert.deepStrictEqual(
      end.map((chunk) => chunk.end - chunk.start),
      [1_992, 11]
    )
    const intro = sound(`ab\n\n${"word ".repeat(399)}word`)
    assert.isAtLeast(intro[0]?.end ?? 0, 1_000)
  })

  it("shortens headings in the breadcrumb so that half of the limit is left", () => {
    const chunks = sound(`# ${"h".repeat(3_000)}\n\n${"Some text. ".repeat(400)}`)
    assert.isAbove(chunks.length, 3)
    for (const chunk of chunks.slice(1)) {
      assert.match(chunk.text, /^h{498}…\n/)
      assert.strictEqual(chunk.headingPath[0]?.length, 3_000)
    }
    const deep = sound(`# Short\n## ${"m".repeat(400)}\n### ${"n".repeat(400)}\n#### D\ntext\n#### E\nmore`)
    assert.match(deep[1]?.text ?? "", /^Short > m{200,}… > n{200,}…\n#### E\nmore$/)
  })

  it("never leaves a heading alone above its text", () => {
    const code = `\`\`\`\n${"some code\n".repeat(199)}\`\`\``
    const chunks = sound(`# Heading\n${code}`)
    assert.isTrue(chunks[0]?.text.startsWith("# Heading\n```\nsome code\n"))
  })

  it("never cuts emoji sequences, flags, combined characters and surrogate pairs", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })
    for (const unit of ["👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0301", "𝒳", "한"]) {
      const text = `x${unit.repeat(300)}`
      const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index))
      for (const chunk of sound(text, { maxLength: 100 })) assert.isTrue(boundaries.has(chunk.start), unit)
    }
    const marks = `a${"\u0301".repeat(1_000)}`
    assert.deepStrictEqual(
      sound(marks, { maxLength: 100 }).map((chunk) => chunk.text.length),
      [...Array.from({ length: 9 }, () => 100), 90, 11]
    )
  })
})
