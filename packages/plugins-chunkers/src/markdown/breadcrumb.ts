import { graphemeBoundary } from "./graphemes.ts"

const separator = " > "
const ellipsis = "\u2026"

/** A text on one line and no longer than `length` units, its end replaced by an ellipsis where it must be. */
export const shorten = (text: string, length: number): string =>
  text.length <= length
    ? text
    : length <= ellipsis.length
      ? ""
      : text
          .slice(0, graphemeBoundary(text, 0, length - ellipsis.length))
          .trimEnd()
          .slice(0, length - 1) + ellipsis

/** The longest length that all texts can be cut to so that together they fit: short ones leave their share to others. */
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

/** A heading needs this many units to be worth a place in a breadcrumb; outer headings give way first. */
const minimum = 8

/**
 * The line of headings that stands before a chunk, with its line end and no longer than `cap` units in all; empty where
 * there are no headings. Headings too long for it are shortened, of too many the innermost stay.
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
