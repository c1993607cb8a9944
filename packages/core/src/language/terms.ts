import { stemmer } from "stemmer"
import { identifierParts } from "./identifierParts.ts"
import { shortFormOf } from "./shortForms.ts"
import { spacelessWords } from "./spacelessWords.ts"
import { americanStem } from "./spellings.ts"
import { stopWords } from "./stopWords.ts"
import { scanTokens } from "./tokens.ts"

/**
 * The version of the analysis. Raise it by hand whenever the same text would give other terms (a rule, a word list, the
 * stemmer): then catalogs make their terms again, and embedders that count terms are fitted again.
 */
export const analysisVersion = 2

/** Greatest length of a term, in UTF-16 units; longer ones (a line of base64, a hash) are cut. */
export const maximumTermLength = 64

/** Words remembered with their terms; natural text has far fewer common ones. */
const memoSize = 50_000

// eslint-disable-next-line no-control-regex -- the range of ASCII
const beyondAscii = /[^\0-\x7f]/

const unfolded: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ı: "i",
  þ: "th"
}

/** Lower case without the diacritics of Latin, Greek and Cyrillic letters: `Über` → `uber`. */
const fold = (word: string): string => {
  const lower = word.toLowerCase()
  if (!beyondAscii.test(lower)) return lower
  return lower
    .normalize("NFD")
    .replace(/[\u0300-\u036f]+/g, "")
    .normalize("NFC")
    .replace(/[ßæœøđðłıþ]/g, (letter) => unfolded[letter] ?? letter)
}

const term = (word: string): string => {
  // a surrogate pair is never divided
  const folded = fold(word)
    .slice(0, maximumTermLength)
    .replace(/[\ud800-\udbff]$/, "")
  return /^[a-z]{3,}$/.test(folded) ? americanStem(stemmer(folded)) : folded
}

const version = /^[vV]?[0-9]+(?:\.[0-9]+)+$/

/** The terms of one token: its parts in order; when it has parts, then also the whole without separators. */
const tokenTerms = (token: string): ReadonlyArray<string> => {
  if (/[+#]$/.test(token)) {
    return [token.toLowerCase().replace("++", "plusplus").replace("#", "sharp")]
  }
  if (version.test(token)) return /^v/i.test(token) ? [term(token), term(token.slice(1))] : [term(token)]
  const bare = token
    .replace(/['’]s$/i, "")
    .replace(/['’]/g, "")
    .replace(/(?<=[0-9]),(?=[0-9])/g, "")
  // a dot between digits belongs to the number
  const words = bare.split(/[-_]+|\.(?![0-9])|(?<![0-9])\./).filter((word) => word !== "")
  const terms: Array<string> = []
  for (const word of words) {
    for (const part of word.length > maximumTermLength ? [word] : identifierParts(word))
      terms.push(term(part))
  }
  const whole = words.join("")
  if (terms.length > 1 && whole.length <= maximumTermLength) terms.push(term(whole))
  return terms
}

interface TokenTerms {
  readonly terms: ReadonlyArray<string>
  /** `auth` for `authentication`; kept separately, since it is added to texts only, not to questions. */
  readonly shortForm: string | undefined
}

const memo = new Map<string, TokenTerms>()

const remembered = (token: string, spaceless: boolean): TokenTerms => {
  const known = memo.get(token)
  if (known !== undefined) return known
  // a copy: in V8 a slice keeps the whole text it was cut from in memory
  const copy = Buffer.from(token, "utf16le").toString("utf16le")
  // a word that consists of combining marks becomes empty
  const terms = (spaceless ? spacelessWords(copy).map(term) : tokenTerms(copy)).filter(
    (found) => found !== ""
  )
  const found = { terms, shortForm: shortFormOf(copy.toLowerCase()) }
  if (copy.length <= maximumTermLength) {
    if (memo.size >= memoSize) memo.clear()
    memo.set(copy, found)
  }
  return found
}

/** NFKC first, so that a ligature or a full-width letter becomes the letters it stands for. */
const normalize = (text: string): string => (beyondAscii.test(text) ? text.normalize("NFKC") : text)

/**
 * The terms of a text, in order, with repeats: the lexical index stores them, the `lsa` embedder counts them, and
 * questions are looked up by them. A term consists of letters, marks and digits, and `.` between digits.
 *
 * Lower case, NFKC, diacritics folded; English words by their Porter stem, British spellings as American ones
 * (`licence` as `license`); names in their parts and whole without separators (`parseHTTPConfig`, `parse_http_config`
 * and `parse-http-config` give the same four terms); numbers and versions whole (`3.11`; `v1.2.3` also as `1.2.3`;
 * `1,234` as `1234`); words of scripts without spaces by dictionary. Stop words are kept: `queryTerms` leaves them out
 * of questions. A long technical word adds its short form (`authentication` also `auth`), so that a question with the
 * short form finds it. The time is linear in the length.
 */
export const analyze = (text: string): Array<string> => {
  const terms: Array<string> = []
  scanTokens(normalize(text), (token, spaceless) => {
    const { terms: found, shortForm } = remembered(token, spaceless)
    for (const term of found) terms.push(term)
    if (shortForm !== undefined) terms.push(shortForm)
  })
  return terms
}

/**
 * The terms of a question: those of `analyze` without stop words and without added short forms. When it has no other
 * terms, these are kept.
 */
export const queryTerms = (question: string): Array<string> => {
  const terms: Array<string> = []
  scanTokens(normalize(question), (token, spaceless) => {
    if (stopWords.has(token.toLowerCase().replace(/['’]/g, ""))) return
    for (const term of remembered(token, spaceless).terms) terms.push(term)
  })
  return terms.length > 0 ? terms : analyze(question)
}
