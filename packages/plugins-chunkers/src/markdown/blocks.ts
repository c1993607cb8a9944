import type { BlockToken } from "./parseBlocks.ts"
import { type Block, leaf } from "./Block.ts"
import { fenceFrame, isClosed, memoized, noFrame, tableFrame } from "./frames.ts"
import { type LineStarts, lineStart } from "./lines.ts"
import { closingIndex } from "./parseBlocks.ts"
import { isWhite, skipWhite, trimEnd } from "./whiteSpace.ts"

/** A parsed document: its tokens' line 0 is line `firstLine` of the text. */
export interface Parsed {
  readonly text: string
  readonly starts: LineStarts
  readonly tokens: ReadonlyArray<BlockToken>
  readonly firstLine: number
  /** Where the text without front matter and byte-order mark begins. */
  readonly from: number
}

/** The offset at which a line of the tokens' maps begins. */
export const offsetOfLine = (parsed: Parsed, line: number): number =>
  Math.max(parsed.from, lineStart(parsed.starts, parsed.text, parsed.firstLine + line))

const openingLine = (parsed: Parsed, token: BlockToken): string => {
  const [first] = token.map ?? [0, 0]
  const start = offsetOfLine(parsed, first)
  const line = parsed.text.slice(start, offsetOfLine(parsed, first + 1))
  return line.replace(/[\r\n]+$/, "")
}

/** The unterminated fence that is the last of some tokens, or inside it. */
const openFence = (parsed: Parsed, last: number): BlockToken | null => {
  let index = last
  while (parsed.tokens[index]?.nesting === -1) index--
  const token = parsed.tokens[index]
  return token?.type === "fence" && !isClosed(token) ? token : null
}

const fence = (parsed: Parsed, token: BlockToken, start: number, end: number): Block => {
  const [first] = token.map ?? [0, 0]
  return {
    ...leaf("lines", start, end),
    unterminated: !isClosed(token),
    content: offsetOfLine(parsed, first + 1),
    firstCut: offsetOfLine(parsed, first + 2),
    frame: memoized((cap) => fenceFrame(token, openingLine(parsed, token), cap))
  }
}

const container = (parsed: Parsed, open: number, close: number, start: number, end: number): Block => {
  const last = openFence(parsed, close)
  return {
    ...leaf("container", start, end),
    unterminated: last !== null,
    frame: memoized((cap) => (last === null ? noFrame : fenceFrame(last, openingLine(parsed, last), cap))),
    children: () => blocksBetween(parsed, open + 1, close, start, end),
    isPlain: () => {
      for (let index = open + 1; index < close; index++) {
        const type = parsed.tokens[index]?.type
        if (type === "fence" || type === "table_open") return false
      }
      return true
    }
  }
}

const table = (parsed: Parsed, open: number, start: number, end: number): Block => {
  const [first] = parsed.tokens[open]?.map ?? [0, 0]
  const content = offsetOfLine(parsed, first + 2)
  return {
    ...leaf("rows", start, end),
    content,
    firstCut: offsetOfLine(parsed, first + 3),
    frame: memoized((cap) => {
      const cells: Array<string> = []
      for (let index = open + 1; parsed.tokens[index]?.type !== "thead_close"; index++) {
        const token = parsed.tokens[index]
        if (token === undefined) break
        if (token.type === "inline") cells.push(token.content)
      }
      return tableFrame(parsed.text.slice(start, trimEnd(parsed.text, start, content)), cells, cap)
    })
  }
}

const makeBlock = (parsed: Parsed, open: number, close: number, start: number, end: number): Block => {
  const token = parsed.tokens[open]
  switch (token?.type) {
    case "fence":
      return fence(parsed, token, start, end)
    case "table_open":
      return table(parsed, open, start, end)
    case "code_block":
    case "html_block":
    case "reference_definition":
      return leaf("lines", start, end)
    case "bullet_list_open":
    case "ordered_list_open":
    case "list_item_open":
    case "blockquote_open":
      return close - open < 2 ? leaf("prose", start, end) : container(parsed, open, close, start, end)
    default:
      return leaf("prose", start, end)
  }
}

/** Whether every line of a paragraph looks like a row: then it is the upper part of the header of the table below. */
const looksLikeRows = (text: string): boolean =>
  text.split(/\r\n|\r|\n/).every((line) => line.trimStart().startsWith("|"))

/**
 * The blocks of one level: those of the tokens from `first` up to `last`. Together they cover `[start, end)` except for
 * white space, also where the parser gave no token for a part of it.
 */
export const blocksBetween = (
  parsed: Parsed,
  first: number,
  last: number,
  start: number,
  end: number
): ReadonlyArray<Block> => {
  const { text, tokens } = parsed
  const opens: Array<number> = []
  for (let index = first; index < last; index = closingIndex(tokens, index) + 1) opens.push(index)
  const startOf = (position: number): number => {
    const map = tokens[opens[position] ?? -1]?.map
    const line = map ? Math.max(start, offsetOfLine(parsed, map[0])) : end
    return position === 0 && skipWhite(text, start, line) < line ? start : line
  }
  const blocks: Array<Block> = []
  for (let position = 0; position < opens.length; position++) {
    const open = opens[position] ?? first
    const from = startOf(position)
    const next = startOf(position + 1)
    const to = trimEnd(text, from, next)
    if (to === from) continue
    const above = blocks.at(-1)
    const isTable = tokens[open]?.type === "table_open"
    if (
      isTable &&
      above?.kind === "prose" &&
      adjacent(text, above.end, from) &&
      looksLikeRows(text.slice(above.start, above.end))
    ) {
      blocks.pop()
      blocks.push(table(parsed, open, above.start, to))
    } else {
      blocks.push(makeBlock(parsed, open, closingIndex(tokens, open), from, to))
    }
  }
  return blocks
}

/** Whether there is only one line end between two blocks. */
const adjacent = (text: string, end: number, start: number): boolean =>
  start - end <= 2 && text.slice(end, start).replace("\r\n", "\n").length === 1

/** Paragraphs of a text without markup: the text between blank lines. */
export const paragraphs = (text: string, starts: LineStarts, from: number): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let start = -1
  let end = from
  const finish = () => {
    if (start !== -1) blocks.push(leaf("prose", start, end))
    start = -1
  }
  for (let line = 0; line < starts.length; line++) {
    const lineFrom = Math.max(from, starts[line] ?? 0)
    const lineEnd = starts[line + 1] ?? text.length
    if (lineEnd <= from) continue
    const first = skipWhite(text, lineFrom, lineEnd)
    if (first === lineEnd || isWhite(text.charCodeAt(first))) {
      finish()
    } else {
      if (start === -1) start = lineFrom
      end = trimEnd(text, lineFrom, lineEnd)
    }
  }
  finish()
  return blocks
}
