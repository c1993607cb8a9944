import { type Chunk, type Document, frontMatter, makeChunkIds } from "@omnirag/core/plugin"
import { paragraphs, type Parsed } from "./blocks.ts"
import { lineAt, lineStarts } from "./lines.ts"
import type { MarkdownOptions } from "./options.ts"
import { packSection } from "./pack.ts"
import { parseBlocks } from "./parseBlocks.ts"
import { type Section, sections } from "./sections.ts"

/** Where the text to be split begins: after front matter, or after a byte-order mark. */
export const textStart = (text: string): number => {
  const { end } = frontMatter(text)
  return end > 0 ? end : text.startsWith("\uFEFF") ? 1 : 0
}

/** Parses the markdown of a document. Throws the errors of the parser. */
export const parseMarkdown = (text: string): Parsed => {
  const from = textStart(text)
  const starts = lineStarts(text)
  const tokens = parseBlocks(from === 0 ? text : text.slice(from))
  return { text, starts, tokens, firstLine: lineAt(starts, from), from }
}

/** A text without markup, to be split into paragraphs from an offset on. */
export const parsePlain = (text: string, from: number): Parsed => ({
  text,
  starts: lineStarts(text),
  tokens: [],
  firstLine: 0,
  from
})

const plainSections = (parsed: Parsed): Iterable<Section> => [
  { path: [], blocks: paragraphs(parsed.text, parsed.starts, parsed.from) }
]

/** The chunks of a document; each section is split when it is requested. */
export function* chunks(
  document: Document,
  parsed: Parsed,
  plain: boolean,
  options: MarkdownOptions
): Generator<Chunk> {
  const { starts, text } = parsed
  const idOf = makeChunkIds(document.id)
  let index = 0
  let line = 0
  let pageIndex = 0
  const lineOf = (offset: number): number => {
    while ((starts[line + 1] ?? Infinity) <= offset) line++
    return line + 1
  }
  const pageOf = (offset: number): number | null => {
    while ((document.pages[pageIndex]?.end ?? Infinity) <= offset) pageIndex++
    return document.pages[Math.min(pageIndex, document.pages.length - 1)]?.page ?? null
  }
  for (const section of plain ? plainSections(parsed) : sections(parsed)) {
    const wholePath = section.path.map((heading) => heading.text)
    const lastHeading = section.path.at(-1)?.start ?? -1
    for (const { end, lead, start, tail } of packSection(parsed, section, options)) {
      const chunkText = lead + text.slice(start, end) + tail
      const page = pageOf(start)
      yield {
        id: idOf(page, chunkText),
        documentId: document.id,
        index: index++,
        text: chunkText,
        bodyOffset: lead.length,
        start,
        end,
        startLine: lineOf(start),
        endLine: lineOf(end - 1),
        // a section can begin with several headings, and a piece can end before the last of them
        headingPath:
          lastHeading < end ? wholePath : wholePath.filter((_, at) => (section.path[at]?.start ?? 0) < end),
        page,
        intent: null,
        confidence: 1
      }
    }
  }
}
