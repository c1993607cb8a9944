import { graphemeBoundary } from "./graphemes.ts"

const separator = " > "
const ellipsis = "\u2026"

/** A text on one line and no longer than `length` units; a longer one ends with an ellipsis. */
export const shorten = (text: string, length: number): string =>
  text.length <= length
    ? text
    : length <= ellipsis.length
      ? ""
      : text
          .slice(0, graphemeBoundary(text, 0, length - ellipsis.length))
          .trimEnd()
          .slice(0, length - 1) + ellipsis

/**
 * The longest length to which all texts can be cut so that together they fit: short texts leave room for the others.
 */
const fairShare = (lengths: ReadonlyArray<number>, total: number): number => {
  let left = total
  let count = lengths.length
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * count > left) return Math.floor(left / count)
    left -= length
    count--
  }
  return total
}

/** A heading needs at least this many units in a breadcrumb; outer headings are left out first. */
const minimum = 8

/**
 * The line of headings before a chunk, including its line end, no longer than `cap` units; empty where there are no
 * headings. Headings that are too long are shortened; when there are too many, the innermost stay.
 */
export const breadcrumb = (headings: ReadonlyArray<string>, cap: number): string => {
  if (headings.length === 0) return ""
  const flat = headings.map((heading) => heading.replace(/\s+/g, " "))
  const plain = flat.join(separator) + "\n"
  if (plain.length <= cap) return plain
  const room = Math.max(1, Math.floor((cap + separator.length) / (minimum + separator.length)))
  const kept = flat.slice(-room)
  const total = cap - 1 - separator.length * (kept.length - 1)
  const share = fairShare(
    kept.map((heading) => heading.length),
    total
  )
  return kept.map((heading) => shorten(heading, share)).join(separator) + "\n"
}
