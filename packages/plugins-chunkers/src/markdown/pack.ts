import type { Block } from "./Block.ts"
import { leaf } from "./Block.ts"
import { divide } from "./divide.ts"
import { Leads, type Source } from "./Leads.ts"
import { lineAt } from "./lines.ts"
import type { MarkdownOptions } from "./options.ts"
import type { Section } from "./sections.ts"
import { trimEnd } from "./whiteSpace.ts"

/** A range of the text, and the texts before and after it. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly lead: string
  readonly tail: string
}

/** The end of a piece under construction. */
interface Extent {
  readonly end: number
  readonly tail: string
  /** Whether it has more than headings. */
  readonly solid: boolean
  /** How far back the overlap of the next piece may reach. */
  readonly floor: number
}

interface Draft extends Piece, Extent {
  readonly last: Block
  /** Its end without its last block; null when that block is its only one, or only a part of a block. */
  readonly before: Extent | null
}

/** A very short last paragraph is joined with the one before it, so that a cut can be made that is good for both. */
const joinTinyEnd = (blocks: ReadonlyArray<Block>, minLength: number): Array<Block> => {
  const [first, last] = blocks.slice(-2)
  return first?.kind === "prose" && last?.kind === "prose" && last.end - last.start < minLength
    ? [...blocks.slice(0, -2), leaf("prose", first.start, last.end)]
    : [...blocks]
}

/**
 * Packs the blocks of a section into pieces of no more than `maxLength` units.
 *
 * Blocks are added while they fit. A block that does not fit begins a new piece. A block that is too long for one piece
 * is divided: containers into their children, other blocks between lines or sentences. A piece of headings alone, and a
 * piece shorter than `minLength`, are made only where nothing else is possible.
 */
export function* packSection(source: Source, section: Section, options: MarkdownOptions): Generator<Piece> {
  const { maxLength, minLength } = options
  const leads = new Leads(source, section.path, options)
  const stack = joinTinyEnd(section.blocks, minLength).toReversed()
  let draft: Draft | null = null
  let held: Draft | null = null

  const begin = (block: Block): Draft => ({
    start: block.start,
    end: block.start,
    lead: leads.of(block, held === null ? null : held.floor),
    tail: "",
    solid: false,
    floor: block.start,
    last: block,
    before: null
  })

  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    const begun: Draft = draft ?? begin(block)
    const tail = leads.tailOf(block)
    if (begun.lead.length + block.end - begun.start + tail.length <= maxLength) {
      draft = {
        start: begun.start,
        end: block.end,
        lead: begun.lead,
        tail,
        solid: begun.solid || block.kind !== "heading",
        floor: options.overlap === 0 || block.isPlain() ? begun.floor : block.end,
        last: block,
        before: draft
      }
      continue
    }

    const settled = draft !== null && draft.solid && draft.end - draft.start >= minLength
    const room = maxLength - begun.lead.length - (block.start - begun.start)
    const children = settled && leads.lengthAlone(block) <= maxLength ? [] : block.children()
    if (children.length > 0) {
      for (const child of children.toReversed()) stack.push(child)
      continue
    }
    const divisible = !settled || (leads.lengthAlone(block) > maxLength && room >= maxLength / 4)
    const frame = block.frame(leads.frameCap)
    if (divisible && draft === null && needsBareRow(source, block, room)) {
      stack.push({ ...block, lead: "" })
      continue
    }
    const cut = divisible
      ? divide(source, block, room - frame.reclose.length, minLength, draft === null || !draft.solid)
      : null
    if (cut === null && draft !== null) {
      if (held !== null) yield held
      held = draft
      draft = null
      stack.push(block)
      continue
    }
    // without a draft there is always room for a part: leads take at most half of the limit
    const { end, next } = cut ?? { end: block.end, next: block.end }
    if (held !== null) yield held
    held = {
      ...begun,
      end: trimEnd(source.text, begun.start, end),
      tail: frame.reclose,
      solid: true,
      floor: block.kind === "heading" ? end : Math.max(begun.floor, block.content),
      last: block,
      before: null
    }
    draft = null
    if (next < block.end) stack.push({ ...block, start: next, firstCut: next + 1, lead: frame.reopen })
  }

  if (held !== null && draft !== null && draft.end - draft.start < minLength) {
    const moved = moveLast(held, draft, leads, options)
    held = moved.held
    draft = moved.draft
  }
  if (held !== null) yield held
  if (draft !== null) yield draft
}

/** Whether the next row fits only without the repeated header: then the header is left out, and the row is not cut. */
const needsBareRow = (source: Source, block: Block, room: number): boolean => {
  if (block.kind !== "rows" || block.lead === "") return false
  const lineEnd = source.starts[lineAt(source.starts, block.start) + 1] ?? source.text.length
  const row = trimEnd(source.text, block.start, lineEnd) - block.start
  return row > room && row <= room + block.lead.length
}

/** Moves the last block of a piece to the very short piece after it, where this improves both. */
const moveLast = (
  held: Draft,
  draft: Draft,
  leads: Leads,
  options: MarkdownOptions
): { readonly held: Draft; readonly draft: Draft } => {
  const { before, last } = held
  if (before === null || !before.solid || before.end - held.start < options.minLength) return { held, draft }
  const lead = leads.of(last, null)
  return lead.length + draft.end - last.start + draft.tail.length <= options.maxLength
    ? { held: { ...held, ...before }, draft: { ...draft, start: last.start, lead } }
    : { held, draft }
}
