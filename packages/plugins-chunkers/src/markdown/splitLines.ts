import { lineAt, type LineStarts } from "./lines.ts"
import type { Cut } from "./splitProse.ts"
import { skipWhite, trimEnd } from "./whiteSpace.ts"

/**
 * Cuts at the end of the last line that lets the piece from `start` end at `max` or before; the rest begins at the
 * start of a line that is not blank and keeps its indentation. With `atBlanks` a blank line in the second half is
 * preferred. Null where no line that begins at or after `earliest` is suitable.
 */
export const cutLines = (
  text: string,
  starts: LineStarts,
  block: { readonly start: number; readonly end: number },
  max: number,
  earliest: number,
  atBlanks: boolean
): Cut | null => {
  let line = lineAt(starts, Math.min(max + 2, block.end))
  let found: Cut | null = null
  for (; line > 0; line--) {
    const next = starts[line] ?? 0
    if (next < earliest || next <= block.start) break
    const end = trimEnd(text, block.start, next)
    if (end <= block.start) break
    if (end > max) continue
    const afterBlank = end < (starts[line - 1] ?? 0)
    if (found === null || afterBlank) found = { end, next: firstLine(text, starts, next, block.end) }
    if (!atBlanks || afterBlank || end - block.start < (max - block.start) / 2) break
  }
  return found
}

/** The start of the first line at or after `from` that is not blank. */
const firstLine = (text: string, starts: LineStarts, from: number, end: number): number =>
  Math.max(from, starts[lineAt(starts, skipWhite(text, from, end))] ?? 0)
