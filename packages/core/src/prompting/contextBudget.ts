/** Tokens that an ASCII character counts as: in English a token has about 3.5 letters or blanks. */
const LETTER = 1 / 3.5
const DIGIT = 0.8
const SIGN = 0.9
/** Tokens of a letter or digit in a run that is too long for a word: a hash, a key, base64. */
const DENSE = 0.85
/** From this length on, a run of letters and digits is not a word. */
const longestWord = 24
/** Tokens of a character that a vocabulary does not have: one for each of its bytes. */
const BYTES = 3
const ASTRAL = 4

/**
 * Tokens that a UTF-16 unit up to `last` counts as, for each script. An accented letter counts as more than one: the
 * words around it belong to a language that vocabularies made for English divide into short pieces. Scripts that many
 * vocabularies hardly know count as their bytes.
 */
const scripts: ReadonlyArray<readonly [last: number, tokens: number]> = [
  [0x36f, 2], // Latin with accents
  [0x3ff, 1.2], // Greek
  [0x52f, 0.8], // Cyrillic
  [0x58f, 2.2], // Armenian
  [0x77f, 1.25], // Hebrew, Arabic
  [0x8ff, BYTES],
  [0x97f, 1.35], // Devanagari
  [0x9ff, 1.5], // Bengali
  [0xb7f, BYTES],
  [0xbff, 1.6], // Tamil
  [0xdff, BYTES],
  [0xe7f, 1.3], // Thai
  [0xfff, BYTES],
  [0x10ff, 2.2], // Burmese, Georgian
  [0x1dff, BYTES],
  [0x1eff, 2.5], // Vietnamese
  [0x1fff, BYTES],
  [0x24ff, 2], // typographic signs, arrows, mathematics
  [0x257f, 1.4], // box drawing
  [0x2bff, 2],
  [0x2fff, BYTES],
  [0x30ff, 1.3], // Japanese syllables and punctuation
  [0x4dff, BYTES],
  [0x9fff, 1.5], // Chinese characters
  [0xabff, BYTES],
  [0xd7ff, 1.6], // Korean
  [0xfeff, BYTES],
  [0xffef, 1.5], // full-width forms
  [0xffff, BYTES]
]
/** The tokens of each UTF-16 unit from 0x80 on, computed from `scripts` once. */
const tokensOfUnit = new Float32Array(0x10000)
{
  let unit = 0
  for (const [last, tokens] of scripts) for (; unit <= last; unit++) tokensOfUnit[unit] = tokens
}

/**
 * An upper estimate of the tokens of a text for models with a byte-pair vocabulary of 100,000 or more, and close to the
 * real number for vocabularies of 32,000. It is meant to be safe, not exact: English counts one and a half times the
 * real number, other languages count as in the less efficient of the vocabularies of llama3 and GPT-4.
 */
export const estimateTokens = (text: string): number => {
  let tokens = 0
  let run = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    const digit = code >= 48 && code <= 57
    run = letter || digit ? run + 1 : 0
    if (run > longestWord) tokens += DENSE
    else if (letter || code === 32) tokens += LETTER
    else if (code < 128) tokens += digit ? DIGIT : SIGN
    else if (code >= 0xd800 && code <= 0xdbff && index + 1 < text.length) {
      tokens += ASTRAL
      index++
    } else tokens += tokensOfUnit[code] ?? BYTES
  }
  return Math.ceil(tokens)
}

/** The items that fit into a budget. */
export interface Fitted<A> {
  /** The kept items in the given order; only the first can be cut. */
  readonly kept: ReadonlyArray<{ readonly item: A; readonly text: string; readonly cut: boolean }>
  readonly dropped: ReadonlyArray<A>
}

/**
 * Where to cut a text at or before `limit`: after a sentence, or else after a word, or else after a whole character.
 */
const cutAt = (text: string, limit: number): number => {
  const head = text.slice(0, limit)
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("\n"), head.lastIndexOf("。"))
  if (sentence >= limit / 2) return sentence + 1
  const word = head.lastIndexOf(" ")
  if (word >= limit / 2) return word
  const last = head.charCodeAt(head.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit
}

/** The longest beginning of a text that fits into the budget, found by bisection; may be empty. */
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
 * Keeps items by rank, the best first, while they fit into `budget`; the lowest ranks are dropped first. When even the
 * first does not fit, its text is cut at the end of a sentence or a word.
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
