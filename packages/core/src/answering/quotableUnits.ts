import { bodyOf, type Chunk } from "../domain/Chunk.ts"
import { sentences, type SentenceRange } from "../language/sentences.ts"

/** The longest quotation, in UTF-16 units; longer sentences are cut at a sensible place. */
export const longestQuote = 600
/** A row of a table is quoted together with all rows up to the header as long as this is not too much of the table. */
const longestTable = 300

/** A part of a passage that can be quoted by itself; `[start, end)` in the document. */
export interface QuotableUnit {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly kind: "prose" | "item" | "row" | "code"
  /** What a reader of the source sees above it: headings, the line that leads in, the header of the table. */
  readonly context: string
}

interface Part extends SentenceRange {
  readonly text: string
  readonly kind: QuotableUnit["kind"] | "heading" | "delimiter"
}

const heading = /^ {0,3}#{1,6}(?:\s|$)/
const fence = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(?:`{3,}|~{3,})/
const delimiter = /^[\s>|]*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/
const row = /^[\s>]*\|/
const item = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/
const leadsIn = /[:：][*_]{0,3}$/
const says = /\p{L}{2}|\p{Lo}|\d/u
const link = /!?\[[^[\]]*\]\([^)]*\)/g
const tag = /<[^<>]*>/g
const comment = /<!--[\s\S]*?(?:-->|$)/g

const kindOf = (text: string, headings: ReadonlySet<string>): Part["kind"] => {
  if (heading.test(text) || headings.has(text.trim())) return "heading"
  if (fence.test(text)) return "code"
  if (text.includes("|") && delimiter.test(text)) return "delimiter"
  if (row.test(text)) return "row"
  return item.test(text) ? "item" : "prose"
}

/** Cuts `[start, end)` into pieces of at most `limit`: at a line, else at a clause, else at a blank. */
export const cutRange = (
  text: string,
  { start, end }: SentenceRange,
  limit: number
): ReadonlyArray<SentenceRange> => {
  const pieces: Array<SentenceRange> = []
  let from = start
  while (end - from > limit) {
    // one character more shows whether a clause ends right at the limit
    const window = text.slice(from, from + limit + 1)
    const half = limit / 2
    const places = [
      window.lastIndexOf("\n"),
      Math.max(window.lastIndexOf("; "), window.lastIndexOf(": "), window.lastIndexOf(". ")) + 1,
      Math.max(window.lastIndexOf(", "), window.lastIndexOf("，"), window.lastIndexOf("；")) + 1,
      window.lastIndexOf(" ")
    ]
    const place = places.find((at) => at > half)
    const lowHalf = /[\ud800-\udbff]/.test(window.charAt(limit - 1)) ? 1 : 0
    const to = from + (place ?? limit - lowHalf)
    pieces.push({ start: from, end: to })
    from = to
    while (from < end && /\s/.test(text.charAt(from))) from++
  }
  if (from < end) pieces.push({ start: from, end })
  return pieces
}

/** The parts of a chunk's body, by the sentences of its whole text: a fence reopened before the body stays a fence. */
const partsOf = (chunk: Chunk): ReadonlyArray<Part> => {
  const from = chunk.bodyOffset
  const to = from + chunk.end - chunk.start
  const headings = new Set(chunk.headingPath)
  const hidden = Array.from(chunk.text.matchAll(comment), ({ index, 0: text }) => ({
    start: index,
    end: index + text.length
  }))
  return sentences(chunk.text).flatMap((range): ReadonlyArray<Part> => {
    let start = Math.max(range.start, from)
    let end = Math.min(range.end, to)
    while (start < end && /\s/.test(chunk.text.charAt(start))) start++
    while (end > start && /\s/.test(chunk.text.charAt(end - 1))) end--
    if (start >= end || hidden.some((span) => start < span.end && end > span.start)) return []
    const kind = kindOf(chunk.text.slice(range.start, range.end), headings)
    return [{ start, end, text: chunk.text.slice(start, end), kind }]
  })
}

const isBlock = (part: Part | undefined): boolean =>
  part !== undefined &&
  (part.kind === "item" || part.kind === "code" || part.kind === "row" || part.kind === "delimiter")

/**
 * What can be quoted of a chunk, in order; units may overlap: a line that leads in is one unit together with what it
 * introduces, and the items of the list are units, too. Headings, comments and bare pictures are none.
 */
export const quotableUnits = (chunk: Chunk): ReadonlyArray<QuotableUnit> => {
  const body = bodyOf(chunk)
  const shift = chunk.start - chunk.bodyOffset
  const parts = partsOf(chunk)
  const units: Array<QuotableUnit> = []
  let above = ""
  let lead: Part | undefined
  let header: Part | undefined
  const add = (start: number, end: number, kind: QuotableUnit["kind"], context: ReadonlyArray<string>) => {
    for (const piece of cutRange(chunk.text, { start, end }, longestQuote)) {
      const text = chunk.text.slice(piece.start, piece.end)
      // a line of nothing but pictures and links (also pictures as links) says nothing; code is never looked into
      if (!says.test(kind === "code" ? text : text.replace(link, "").replace(link, "").replace(tag, "")))
        continue
      units.push({
        start: piece.start + shift,
        end: piece.end + shift,
        text,
        kind,
        context: context.filter((line) => line !== "").join("\n")
      })
    }
  }
  parts.forEach((part, index) => {
    const next = parts[index + 1]
    if (part.kind === "heading") {
      above = part.text
      lead = header = undefined
      return
    }
    if (part.kind === "delimiter") {
      header = parts[index - 1]
      return
    }
    if (part.kind !== "row") header = undefined
    const context = [above, lead?.text ?? ""]
    if (part.kind === "row") {
      if (next?.kind === "delimiter") {
        // the header of a table says nothing by itself
        header = part
        return
      }
      const withHeader = header !== undefined && part.end - header.start <= longestTable
      add(withHeader ? (header?.start ?? part.start) : part.start, part.end, "row", [
        ...context,
        header?.text ?? ""
      ])
      return
    }
    if (part.kind === "prose") lead = undefined
    if (leadsIn.test(part.text) && isBlock(next)) {
      lead = part
      let end = part.end
      for (let follow = index + 1; isBlock(parts[follow]); follow++) {
        const to = parts[follow]?.end ?? end
        const table = parts[follow]?.kind === "row" || parts[follow]?.kind === "delimiter"
        if (to - part.start > (table ? longestTable : longestQuote)) break
        end = to
      }
      if (end > part.end) {
        const code = next?.kind === "code"
        add(part.start, end, code ? "code" : "item", [above])
        return
      }
    }
    if (part.kind === "code" && lead !== undefined && part.end - lead.start <= longestQuote) return
    add(part.start, part.end, part.kind, context)
  })
  return body === "" ? [] : units
}
