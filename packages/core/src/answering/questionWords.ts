import { stopWords } from "../language/stopWords.ts"
import { analyze } from "../language/terms.ts"
import { scanTokens } from "../language/tokens.ts"

/** A word of a question that says what it is about. */
export interface QuestionWord {
  /** As it stands in the question. */
  readonly text: string
  /** Its terms, as `analyze` makes them: the parts of a compound in order, then the whole. */
  readonly terms: ReadonlyArray<string>
  /** How much it tells, times its rarity: less for words that only frame a question. */
  readonly importance: number
  readonly isName: boolean
}

/**
 * Words that shape a question rather than say what it is about, by their stems. The last lines complete the closed
 * classes that stop words leave out, since a text is found by them: indefinite pronouns, quantifiers, adverbs of
 * frequency, time and degree.
 */
const framing: ReadonlySet<string> = new Set(
  analyze(
    `allow anything best build call change come contain correct define describe detail difference different do enough
    example exist expect explain find following get give go good happen have help hold identify important include
    involve kind keep know latest like list long look make many matter mean mention much name need new number obtain
    offer old one occur part people place point possible prefer provide purpose question reason recommend reported
    require role say see set show specific state support take tell thing think time type understand use used using
    various want way work would according document text article author context describe discuss discussed
    associated related respectively significant main key
    another anybody anyone everybody everyone everything nobody nothing somebody someone something somewhere
    least less lot much several always never often rarely seldom sometimes usually
    ago already currently now soon still today actually almost else even exactly instead quite really simply`
  )
)

const framingImportance = 0.25

/** Share of capitalised words from which on capitals tell nothing: a title, a language that writes nouns with them. */
const titleShare = 0.7

const isCode = (text: string): boolean =>
  /\p{N}|_|\p{Ll}\p{Lu}|\p{L}\.\p{L}/u.test(text) || /^\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(text)
const isCapitalised = (text: string): boolean => /^\p{Lu}/u.test(text)

/**
 * What a question asks about, word by word, stop words left out; every distinct word once. A name is an identifier, a
 * number, an abbreviation, or a capitalised word inside a sentence. The word right behind "how" (how often, how far) only
 * frames: an answer gives the figure and seldom repeats the word.
 */
export const questionWords = (question: string): ReadonlyArray<QuestionWord> => {
  const tokens: Array<{ readonly text: string; readonly first: boolean; readonly afterHow: boolean }> = []
  const normalized = question.normalize("NFKC")
  let from = 0
  let first = true
  scanTokens(normalized, (text) => {
    const at = normalized.indexOf(text, from)
    if (at > 0 && /[.!?:]\s*$/.test(normalized.slice(Math.max(0, from), at))) first = true
    tokens.push({ text, first, afterHow: !first && tokens.at(-1)?.text.toLowerCase() === "how" })
    from = at + text.length
    first = false
  })
  const content = tokens.filter(({ text }) => !stopWords.has(text.toLowerCase().replace(/['’]/g, "")))
  const inside = content.filter((token) => !token.first)
  const capitalsTell =
    inside.length < 3 || inside.filter(({ text }) => isCapitalised(text)).length < titleShare * inside.length
  const words = new Map<string, QuestionWord>()
  for (const { text, first, afterHow } of content) {
    const terms = analyze(text)
    const whole = terms.at(-1)
    if (whole === undefined || words.has(whole)) continue
    const isName = isCode(text)
      ? capitalsTell || /\p{N}|_/u.test(text)
      : capitalsTell && !first && isCapitalised(text)
    words.set(whole, {
      text,
      terms,
      isName,
      importance: !isName && (afterHow || framing.has(whole)) ? framingImportance : 1
    })
  }
  return [...words.values()]
}

/** True when a set of terms holds the word: as a whole, or all parts of a compound. */
export const holds = (terms: ReadonlySet<string>, word: QuestionWord): boolean => {
  const whole = word.terms.at(-1)
  if (whole === undefined || terms.has(whole)) return true
  return word.terms.length > 1 && word.terms.slice(0, -1).every((part) => terms.has(part))
}
