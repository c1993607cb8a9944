import { frontMatter } from "@omnirag/core/app"
import MarkdownIt from "markdown-it"

const parser = new MarkdownIt("default", { html: true })

interface Heading {
  readonly level: number
  readonly text: string
  readonly start: number
}

/** The headings outside quotes and lists, found by markdown-it as it is shipped, with their offsets in the text. */
export const headingsOf = (text: string): ReadonlyArray<Heading> => {
  const from = frontMatter(text).end || (text.startsWith("\uFEFF") ? 1 : 0)
  const body = text.slice(from)
  const lines = [...body.matchAll(/\r\n?|\n/g)].map((found) => found.index + found[0].length)
  const tokens = parser.parse(body, {})
  return tokens.flatMap((token, index) =>
    token.type === "heading_open" && token.level === 0 && token.map !== null
      ? [
          {
            level: Number(token.tag.slice(1)),
            text: tokens[index + 1]?.content.trim() ?? "",
            start: from + (token.map[0] === 0 ? 0 : (lines[token.map[0] - 1] ?? body.length))
          }
        ]
      : []
  )
}

/** The path that a chunk must have which ends at `end`: the headings open there, without empty ones. */
export const pathAt = (headings: ReadonlyArray<Heading>, end: number): ReadonlyArray<string> => {
  const open: Array<Heading> = []
  for (const heading of headings) {
    if (heading.start >= end) break
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
    open.push(heading)
  }
  return open.map((heading) => heading.text).filter((text) => text !== "")
}
