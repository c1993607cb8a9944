/** True for a text with nothing to embed: only white space, control and invisible characters. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{Cs}]*$/u.test(text)

/** Moves a cut so that it does not split a surrogate pair and, where possible, comes after nearby white space. */
const niceCut = (text: string, at: number): number => {
  const space = text.slice(Math.max(0, at - 100), at).search(/\s\S*$/)
  if (space !== -1 && space > 0) return Math.max(0, at - 100) + space + 1
  const before = text.charCodeAt(at - 1)
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}

/**
 * Splits a text into windows that cost at most `budget` each, by halving: every character is in exactly one window. A
 * text that fits is one window.
 */
export const splitIntoWindows = (
  text: string,
  budget: number,
  cost: (text: string) => number
): ReadonlyArray<string> => {
  if (text.length < 2 || cost(text) <= budget) return [text]
  return halve(text).flatMap((half) => splitIntoWindows(half, budget, cost))
}

/** The two halves of a text of two characters or more; blank halves are left out. */
export const halve = (text: string): ReadonlyArray<string> => {
  const middle = niceCut(text, Math.ceil(text.length / 2))
  const cut = middle <= 0 || middle >= text.length ? Math.ceil(text.length / 2) : middle
  return [text.slice(0, cut), text.slice(cut)].filter((half) => !isBlank(half))
}
