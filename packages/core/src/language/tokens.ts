import { spacelessClass } from "./spacelessWords.ts"

/** The kind of a UTF-16 unit, for the scanner. */
const nothing = 1
const letter = 2
const digit = 3
const spaceless = 4

/** A token longer than this ends at its next separator; the rest of a single word of that length is skipped. */
const longestToken = 512

const isSpaceless = new RegExp(spacelessClass, "v")
const isLetter = /[\p{L}\p{N}\p{M}]/u

const kindOf = (character: string): number =>
  isSpaceless.test(character)
    ? spaceless
    : !isLetter.test(character)
      ? nothing
      : /[0-9]/.test(character)
        ? digit
        : letter

/** Kinds of the units of the basic plane, filled in when they are first met; 0 means not known yet. */
const kinds = new Uint8Array(0x10000)

const dot = 0x2e
const comma = 0x2c
const hyphen = 0x2d
const underscore = 0x5f
const apostrophe = 0x27
const curlyApostrophe = 0x2019

/**
 * Divides a text into tokens and passes each to `visit`, with whether it is a run of a script without spaces. A token
 * is a word, a number (`1,234.5`), or a name whose parts are joined by `.`, `-`, `_` or an apostrophe; `C++`, `C#` and
 * `F#` too. One pass, by character code: a regular expression would be three times slower, and overflows V8's stack on
 * long runs.
 */
export const scanTokens = (text: string, visit: (token: string, spaceless: boolean) => void): void => {
  const length = text.length

  const kindAt = (index: number): number => {
    const code = text.charCodeAt(index)
    const known = kinds[code] ?? nothing
    if (known !== 0) return known
    if (code >= 0xd800 && code < 0xe000) {
      // not stored: the kind of one half of a surrogate pair depends on the other half; a lone half has none
      if (code < 0xdc00) return kindOf(String.fromCodePoint(text.codePointAt(index) ?? 0))
      const before = index > 0 ? text.charCodeAt(index - 1) : 0
      return before >= 0xd800 && before < 0xdc00 ? kindOf(text.slice(index - 1, index + 1)) : nothing
    }
    return (kinds[code] = kindOf(String.fromCharCode(code)))
  }
  const isWord = (index: number): boolean => {
    if (index >= length) return false
    const kind = kindAt(index)
    return kind === letter || kind === digit
  }
  const isDigit = (index: number): boolean => index < length && kindAt(index) === digit
  const isDigits = (from: number, to: number): boolean => {
    for (let index = from; index < to; index++) if (!isDigit(index)) return false
    return from < to
  }

  /** Index where the word after the separator at `index` begins; -1 when the token ends here. */
  const afterSeparator = (start: number, index: number): number => {
    const code = text.charCodeAt(index)
    if (code === underscore) {
      let next = index + 1
      while (next < length && text.charCodeAt(next) === underscore) next++
      return isWord(next) ? next : -1
    }
    if (code === dot || code === hyphen || code === apostrophe || code === curlyApostrophe) {
      return isWord(index + 1) ? index + 1 : -1
    }
    // thousands: groups of three digits after one to three
    if (code !== comma || !isDigits(index + 1, index + 4) || isWord(index + 4)) return -1
    const group = Math.max(start, index - 4)
    const first = text.charCodeAt(group) === comma ? group + 1 : start
    return index - first <= 3 && isDigits(first, index) ? index + 1 : -1
  }

  let start = 0
  while (start < length) {
    const kind = kindAt(start)
    if (kind === nothing) {
      start++
      continue
    }
    let end = start + 1
    if (kind === spaceless) {
      while (end < length && kindAt(end) === spaceless) end++
      visit(text.slice(start, end), true)
      start = end
      continue
    }
    for (;;) {
      while (isWord(end)) end++
      if (end >= length || end - start > longestToken) break
      const next = afterSeparator(start, end)
      if (next === -1) break
      end = next
    }
    if (end - start === 1 && /[CFcf]/.test(text.charAt(start))) {
      if (text.startsWith("++", end) && !isWord(end + 2)) end += 2
      else if (text.charCodeAt(end) === 0x23 && !isWord(end + 1)) end += 1
    }
    visit(text.slice(start, Math.min(end, start + longestToken)), false)
    start = end
  }
}
