import * as fc from "fast-check"

const word = fc.constantFrom(
  "a",
  "word",
  "Sentence.",
  "`code`",
  "```",
  "|",
  "#",
  "漢字の文。",
  "字".repeat(90),
  "👩‍👩‍👧‍👦",
  "🇩🇪🇫🇷🇬🇧",
  "👍🏽".repeat(25),
  "e\u0301",
  "\u0301",
  "x".repeat(130),
  "https://example.org/a_b?c=d",
  "<b>",
  "\0",
  "\u00A0",
  "\uD800"
)
const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "))
const lines = fc.array(line, { minLength: 1, maxLength: 8 }).map((all) => all.join("\n"))

const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.option(line))
  .map(([level, text]) => (text === null ? "#".repeat(level) : `${"#".repeat(level)} ${text}`))
const setext = fc.tuple(line, fc.constantFrom("===", "---")).map((parts) => parts.join("\n"))
const fence = fc
  .tuple(fc.constantFrom("```", "~~~", "````"), fc.constantFrom("", "ts", "sh title=x"), lines, fc.boolean())
  .map(([marks, info, body, closed]) => `${marks}${info}\n# in a fence\n${body}${closed ? `\n${marks}` : ""}`)
const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.array(line, { maxLength: 12 }), line)
  .map(([columns, rows, head]) => {
    const row = (cell: string) => `|${` ${cell.replaceAll("|", "/")} |`.repeat(columns)}`
    return [row(head), `|${"---|".repeat(columns)}`, ...rows.map(row)].join("\n")
  })
const html = lines.map((body) => `<div>\n${body}\n</div>`)
const comment = lines.map((body) => `<!--\n# hidden\n\n${body}\n-->`)
const code = lines.map((body) => body.replace(/^/gm, "    "))
const odd = fc.constantFrom(
  "***",
  "[a]: b 'c'",
  "#NoSpace",
  "\t",
  "> ",
  "- ",
  "1.",
  "\u00A0",
  "---",
  "- - - a"
)
const leaf = fc.oneof(lines, heading, setext, fence, table, html, comment, code, odd)

const indented = (marker: string) => (body: string) =>
  marker + body.replaceAll("\n", `\n${" ".repeat(marker.length)}`)
const { block } = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 4 }).map((all) => all.join("\n\n")),
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom("- ", "1. ", "* "), tie("blocks"))
      .map(([marker, body]) => indented(marker)(body)),
    tie("blocks").map((body) => body.replace(/^/gm, "> "))
  )
}))

/** Texts with everything markdown has, well formed and not, with any kind of line end. */
export const markdown = fc
  .tuple(
    fc.constantFrom("", "", "---\ntitle: x\n# c\n---\n", "\uFEFF"),
    fc.array(fc.tuple(block, fc.constantFrom("\n\n", "\n", "\n\n\n \n")), { maxLength: 10 }),
    fc.constantFrom("\n", "\r\n", "\r")
  )
  .map(([head, blocks, end]) => (head + blocks.flat().join("")).replaceAll("\n", end))
