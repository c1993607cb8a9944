import { sentences } from "../language/sentences.ts"
import type { Passage } from "../ports/AnswerGenerator.ts"
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
const hasDigit = /\p{N}/u
const isIdentifier = /\p{N}|_|\p{Ll}\p{Lu}|\p{L}\.\p{L}/u

/**
 * Checks sentences against what the model was given. A sentence is unsupported when it has a name or a number, or mostly
 * words, that are in neither the passages nor the question. It says what the sources do not bear out, not what is false:
 * wrong combinations of words that are there pass. Where question and passages are in different languages, numbers and
 * identifiers alone are looked at.
 */
export const makeGroundednessCheck = (question: string, passages: ReadonlyArray<Passage>) => {
  const source = termSet(
    passages
      .flatMap(({ hit }) => [hit.repo, hit.path, hit.title, ...hit.chunk.headingPath, hit.chunk.text])
      .join("\n")
  )
  const known = termSet(question)
  const plain = questionWords(question).filter(({ isName }) => !isName)
  const sameLanguage =
    plain.length === 0 ||
    plain.filter((word) => holds(source, word)).length >= plain.length * sameLanguageShare
  const isForeign = (word: QuestionWord): boolean => !holds(source, word) && !holds(known, word)

  /** The foreign words of one sentence when they make it unsupported; markers `[n]` are no part of it. */
  return (sentence: string): UnsupportedSentence | undefined => {
    const words = questionWords(sentence.replace(markers, " ").replace(listMarker, ""))
    const foreign = words.filter(isForeign)
    const telling = foreign.filter(({ text, isName }) =>
      sameLanguage ? isName || hasDigit.test(text) : isIdentifier.test(text)
    )
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
