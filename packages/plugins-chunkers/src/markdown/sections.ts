import { type Block, leaf } from "./Block.ts"
import { blocksBetween, offsetOfLine, type Parsed } from "./blocks.ts"
import { closingIndex } from "./parseBlocks.ts"
import { trimEnd } from "./whiteSpace.ts"

/** A heading above a section. */
export interface Heading {
  readonly level: number
  /** Its text as written, without its marks and the space around it. */
  readonly text: string
  /** Where its line begins. */
  readonly start: number
}

/** The text under one heading, with the heading itself and those directly above it that have no text of their own. */
export interface Section {
  readonly path: ReadonlyArray<Heading>
  readonly blocks: ReadonlyArray<Block>
}

/**
 * The sections of a parsed document, in order; each is made when it is requested.
 *
 * Only headings outside quotes and list items divide a document. The path follows their levels: a heading closes all
 * headings of its own level and deeper. A heading without text (`##`) closes them, too, and is not in the path.
 */
export function* sections(parsed: Parsed): Generator<Section> {
  const { text, tokens } = parsed
  let path: ReadonlyArray<Heading> = []
  let level = 0
  let headings: Array<Block> = []
  let index = 0
  let start = parsed.from
  while (index < tokens.length || headings.length > 0) {
    let next = index
    while (next < tokens.length && !(tokens[next]?.type === "heading_open" && tokens[next]?.level === 0)) {
      next = closingIndex(tokens, next) + 1
    }
    const open = tokens[next]
    const end = open?.map ? offsetOfLine(parsed, open.map[0]) : text.length
    const body = blocksBetween(parsed, index, next, start, end)
    const nextLevel = open === undefined ? 0 : Number(open.tag.slice(1))
    if (body.length > 0 || (headings.length > 0 && nextLevel <= level)) {
      yield { path, blocks: [...headings, ...body] }
      headings = []
    }
    if (open === undefined) return
    level = nextLevel
    const content = tokens[next + 1]?.content.trim() ?? ""
    path = path.filter((heading) => heading.level < nextLevel)
    if (content !== "") path = [...path, { level, text: content, start: end }]
    index = next + 3
    start = offsetOfLine(parsed, open.map?.[1] ?? 0)
    headings.push(leaf("heading", end, trimEnd(text, end, start)))
  }
}
