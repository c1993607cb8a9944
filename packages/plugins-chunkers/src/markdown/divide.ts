import type { Block } from "./Block.ts"
import type { Source } from "./Leads.ts"
import { cutLines } from "./splitLines.ts"
import { type Cut, cutProse } from "./splitProse.ts"

/**
 * Where to divide a block so that its first part has at most `room` units and, where possible, its rest at least
 * `minLength`. When not even one line fits, `forced` allows a line to be cut; without it the result is null.
 */
export const divide = (
  { starts, text }: Source,
  block: Block,
  room: number,
  minLength: number,
  forced: boolean
): Cut | null => {
  if (room < Math.max(1, minLength)) return null
  const max = block.start + room
  const shorter = block.end - minLength - 1 // one for the space at the cut
  const wanted =
    shorter < max && shorter - block.start >= minLength ? Math.max(shorter, block.start + 1) : max
  if (block.kind !== "lines" && block.kind !== "rows") return cutProse(text, block.start, wanted, block.end)
  const atBlanks = block.kind === "lines"
  const between =
    cutLines(text, starts, block, wanted, block.firstCut, atBlanks) ??
    cutLines(text, starts, block, max, block.firstCut, atBlanks)
  if (between !== null || !forced) return between
  const belowHeader =
    block.kind === "rows" && block.start < block.content
      ? cutLines(text, starts, block, max, block.content, false)
      : null
  return belowHeader ?? cutProse(text, block.start, max, block.end)
}
