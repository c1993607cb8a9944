/** Shares of a token that a UTF-16 unit or a code point counts as. */
const LETTER = 1 / 3.5
const DENSE = 1 / 1.8
const ACCENTED = 1 / 2
const OTHER_SCRIPT = 1 / 1.4
const WIDE = 1.2
const ASTRAL = 3
/** From this length on, a run of letters and digits is no word of a language but a hash, a key, base64. */
const longestWord = 24

/**
 * An upper estimate of the tokens of a text for models with a byte-pair vocabulary of 30,000 or more: about 3.5 letters
 * of English, 1.8 digits or signs, 1.4 letters of another alphabet, and less than one Chinese, Japanese or Korean
 * character to a token. Meant to be on the safe side, not exact.
 */
export const estimateTokens = (text: string): number => {
  let tokens = 0
  let run = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    const digit = code >= 48 && code <= 57
    run = letter || digit ? run + 1 : 0
    if (letter || code === 32) tokens += run > longestWord ? DENSE : LETTER
    else if (code < 128) tokens += DENSE
    else if (code < 0x250) tokens += ACCENTED
    else if (code >= 0xd800 && code <= 0xdbff && index + 1 < text.length) {
      tokens += ASTRAL
      index++
    } else tokens += code < 0x2e80 ? OTHER_SCRIPT : WIDE
  }
  return Math.ceil(tokens)
}

/** What is left of passages after they were fitted into a budget. */
export interface Fitted<A> {
  /** The kept items in the given order; only the first can be cut. */
  readonly kept: ReadonlyArray<{ readonly item: A; readonly text: string; readonly cut: boolean }>
  readonly dropped: ReadonlyArray<A>
}

/** Where to cut a text at `limit` or before: after a sentence, else a word, else a whole character. */
const cutAt = (text: string, limit: number): number => {
  const head = text.slice(0, limit)
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("\n"), head.lastIndexOf("。"))
  if (sentence >= limit / 2) return sentence + 1
  const word = head.lastIndexOf(" ")
  if (word >= limit / 2) return word
  const last = head.charCodeAt(head.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit
}

/** The longest beginning of a text, found by bisection, that costs no more than the budget; may be empty. */
export const cutToFit = (text: string, budget: number, cost: (text: string) => number): string => {
  let fits = 0
  let tooLong = text.length + 1
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (cost(text.slice(0, middle)) <= budget) fits = middle
    else tooLong = middle
  }
  return fits === text.length ? text : text.slice(0, fits === 0 ? 0 : cutAt(text, fits))
}

/**
 * Keeps items by rank, the best first, while their costs fit into `budget`; the lowest ranks are dropped first. When not
 * even the first fits, its text is cut at the end of a sentence or a word.
 */
export const fitByRank = <A>(
  items: ReadonlyArray<A>,
  text: (item: A) => string,
  /** Cost of an item with the given text, in tokens, frame included. */
  cost: (item: A, text: string) => number,
  budget: number
): Fitted<A> => {
  const kept: Array<{ item: A; text: string; cut: boolean }> = []
  let left = budget
  for (const [rank, item] of items.entries()) {
    const whole = text(item)
    const price = cost(item, whole)
    if (price <= left) {
      kept.push({ item, text: whole, cut: false })
      left -= price
      continue
    }
    if (rank === 0) {
      const beginning = cutToFit(whole, left, (part) => cost(item, part))
      if (beginning.trim() !== "") kept.push({ item, text: beginning, cut: true })
    }
    return { kept, dropped: items.slice(kept.length) }
  }
  return { kept, dropped: [] }
}
