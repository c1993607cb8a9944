import { graphemeBoundary } from "./graphemes.ts"
import { lineAt, type LineStarts } from "./lines.ts"
import { isWhite, skipWhite } from "./whiteSpace.ts"

/**
 * Where the overlap of a piece that begins at `start` begins: at most `room` units before it and not before `floor`, at
 * the start of a word (with `atLines`, of a line), or between graphemes where there are no words. `start` itself where
 * nothing can be repeated.
 */
export const overlapStart = (
  text: string,
  starts: LineStarts,
  floor: number,
  start: number,
  room: number,
  atLines: boolean
): number => {
  const earliest = start - room
  if (earliest <= floor) return skipWhite(text, floor, start)
  if (isWhite(text.charCodeAt(earliest - 1))) return skipWhite(text, earliest, start)
  if (atLines) {
    const line = starts[lineAt(starts, earliest) + 1] ?? start
    if (line < start) return line
  }
  let word = earliest
  while (word < start && !isWhite(text.charCodeAt(word))) word++
  const next = skipWhite(text, word, start)
  if (next < start) return next
  if (word < start) return start // the last word is longer than the room
  const boundary = graphemeBoundary(text, floor, earliest)
  return boundary < earliest ? Math.min(start, nextBoundary(text, boundary, start)) : boundary
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const nextBoundary = (text: string, boundary: number, end: number): number => {
  for (const { segment } of segmenter.segment(text.slice(boundary, end))) return boundary + segment.length
  return end
}
