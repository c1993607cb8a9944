import MarkdownIt, { type Token } from "markdown-it"

/** CommonMark with tables and HTML blocks. Text inside blocks stays as it is: nothing here needs it parsed. */
const parser = new MarkdownIt("default", { html: true })
parser.core.ruler.enableOnly(["normalize", "block"])

/** The block tokens of a markdown text, with line maps that count CRLF, LF and a lone CR as one line end each. */
export const parseBlocks = (text: string): ReadonlyArray<Token> => parser.parse(text, {})

/** The index of the token that closes the one at `open`, or `open` itself where that needs no closing. */
export const closingIndex = (tokens: ReadonlyArray<Token>, open: number): number => {
  const level = tokens[open]?.level
  if (tokens[open]?.nesting !== 1) return open
  let index = open + 1
  while (index < tokens.length - 1 && !(tokens[index]?.level === level && tokens[index]?.nesting === -1))
    index++
  return index
}
