import { sentences } from "../language/sentences.ts"
import type { Passage } from "../ports/AnswerGenerator.ts"
import { Quantities } from "./Quantities.ts"
import { holds, type QuestionWord, questionWords } from "./questionWords.ts"
import { termSet } from "./weighQuestion.ts"

/** A sentence of an answer that the passages do not bear out. */
export interface UnsupportedSentence {
  readonly sentence: string
  /** Its names, numbers and terms that are in neither the passages nor the question. */
  readonly missing: ReadonlyArray<string>
}

/** A sentence without a foreign name or number is unsupported when it has this many foreign words … */
const fewestForeign = 4
/** … and they are at least this share of its words. */
const foreignShare = 0.5
/** A question of whose words the passages hold less than this is in another language than they are. */
const sameLanguageShare = 0.2

const markers = /\s?\[\d{1,6}(?:\s*,\s*\d{1,6})*\]/g
const listMarker = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+/
const fence = /^[\s>]*(?:`{3,}|~{3,})[^\n]*\n/
const codeSpan = /(`+)(.+?)\1/gs
/** Addresses and absolute paths. */
const place = /(?:\p{L}+:\/\/|(?<![\p{L}\p{N}/.~])\/)[^\s`"'<>()[\]]+/gu
/** What a reader is to fill in. */
const placeholder = /<[^<>\n]*>|\$\{[^{}\n]*\}/g
const hasDigit = /\p{N}/u
const isIdentifier = /\p{N}|_|\p{Ll}\p{Lu}|\p{L}\.\p{L}/u

/** The code, paths and addresses of a sentence, which a reader will copy. */
const codeOf = (sentence: string): string =>
  (fence.test(sentence)
    ? sentence.replace(fence, "")
    : [
        ...[...sentence.matchAll(codeSpan)].map(([, , code = ""]) => code),
        ...(sentence.match(place) ?? [])
      ].join("\n")
  ).replace(placeholder, " ")

/**
 * Checks sentences against what the model was given. A sentence is unsupported when it has a name or a number, a word in
 * its code, or mostly words, that are in neither the passages nor the question. It says what the sources do not bear out, not what is false:
 * wrong combinations of words that are there pass. Where question and passages are in different languages, numbers and
 * identifiers alone are looked at.
 */
export const makeGroundednessCheck = (question: string, passages: ReadonlyArray<Passage>) => {
  const given = passages
    .flatMap(({ hit }) => [hit.repo, hit.path, hit.title, ...hit.chunk.headingPath, hit.chunk.text])
    .join("\n")
  const source = termSet(given)
  const known = termSet(question)
  const everything = `${given}\n${question}`
  const verbatim = everything.normalize("NFKC").toLowerCase()
  const quantities = new Quantities(everything)
  const plain = questionWords(question).filter(({ isName }) => !isName)
  const sameLanguage =
    plain.length === 0 ||
    plain.filter((word) => holds(source, word)).length >= plain.length * sameLanguageShare
  const isForeign = (word: QuestionWord): boolean =>
    !holds(source, word) && !holds(known, word) && !quantities.has(word.text)
  const holdsVerbatim = (text: string): boolean =>
    verbatim.includes(text.toLowerCase()) || quantities.has(text)
  /** In code a name is itself or another one: `max_retry` is not `max_retries`. */
  const isForeignInCode = (word: QuestionWord): boolean =>
    word.text.length > 1 && (isForeign(word) || (isIdentifier.test(word.text) && !holdsVerbatim(word.text)))

  /** The foreign words of one sentence when they make it unsupported; markers `[n]` are no part of it. */
  return (sentence: string): UnsupportedSentence | undefined => {
    const bare = sentence.replace(markers, " ").replace(listMarker, "")
    const words = questionWords(bare)
    const foreign = words.filter(isForeign)
    const inCode = questionWords(codeOf(bare)).filter(isForeignInCode)
    const copied = new Set(inCode.map(({ text }) => text))
    const telling = [
      ...inCode,
      ...foreign.filter(
        ({ text, isName }) =>
          !copied.has(text) && (sameLanguage ? isName || hasDigit.test(text) : isIdentifier.test(text))
      )
    ]
    const mostly =
      sameLanguage && foreign.length >= fewestForeign && foreign.length >= words.length * foreignShare
    if (telling.length === 0 && !mostly) return undefined
    return {
      sentence: sentence.trim(),
      missing: (telling.length > 0 ? telling : foreign).map(({ text }) => text)
    }
  }
}

/** The unsupported sentences of a text, in order. */
export const unsupportedSentences = (
  text: string,
  question: string,
  passages: ReadonlyArray<Passage>
): ReadonlyArray<UnsupportedSentence> => {
  const check = makeGroundednessCheck(question, passages)
  return sentences(text).flatMap(({ start, end }) => check(text.slice(start, end)) ?? [])
}
