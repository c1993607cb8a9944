import MarkdownIt, { type Token } from "markdown-it"

/** The fields of markdown-it's block tokens that are used here. */
export interface BlockToken {
  readonly type: string
  readonly tag: string
  readonly nesting: number
  readonly level: number
  /** First line and the line after the last, from 0. */
  readonly map: readonly [number, number] | null
  readonly content: string
  readonly markup: string
  readonly info: string
}

/** CommonMark with tables and HTML blocks. */
const parser = new MarkdownIt("default", { html: true })

/**
 * Where markdown-it's rules write their tokens. Its own tokens cost a third of the time of a parse, for methods and
 * fields that only rendering needs. Tokens of table cells are not kept.
 */
class LeanState extends parser.block.State {
  private inTableBody = false

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (nesting < 0) this.level--
    const level = this.level
    if (nesting > 0) this.level++
    const lean = {
      type,
      tag,
      attrs: null,
      map: null,
      nesting,
      level,
      children: null,
      content: "",
      markup: "",
      info: "",
      meta: null,
      block: true,
      hidden: false
    }
    // at the edge of the library: the block rules fill in fields and call no methods
    const token = lean as unknown as Token
    if (type === "tbody_close") this.inTableBody = false
    if (!this.inTableBody) this.tokens.push(token)
    if (type === "tbody_open") this.inTableBody = true
    return token
  }
}
parser.block.State = LeanState

/**
 * The block tokens of a markdown text, with line maps that count CRLF, LF and a lone CR as one line end each. Text
 * inside blocks is not parsed, since it is not needed here. Throws a `RangeError` for a tag of several megabytes.
 */
export const parseBlocks = (text: string): ReadonlyArray<BlockToken> => {
  const withLineFeeds = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
  const source = withLineFeeds.includes("\0") ? withLineFeeds.replaceAll("\0", "\uFFFD") : withLineFeeds
  const tokens: Array<Token> = []
  parser.block.parse(source, parser, {}, tokens)
  return tokens
}

/** The index of the token that closes the one at `open`; `open` itself when that needs no closing token. */
export const closingIndex = (tokens: ReadonlyArray<BlockToken>, open: number): number => {
  const token = tokens[open]
  if (token?.nesting !== 1) return open
  let index = open + 1
  while (
    index < tokens.length - 1 &&
    !(tokens[index]?.level === token.level && tokens[index]?.nesting === -1)
  ) {
    index++
  }
  return index
}
