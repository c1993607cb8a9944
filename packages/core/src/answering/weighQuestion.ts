import { analyze } from "../language/terms.ts"
import { holds, type QuestionWord, questionWords } from "./questionWords.ts"

/** A word of a question with what it weighs against the others. */
export interface WeightedWord extends QuestionWord {
  /** Importance times rarity in the index. */
  readonly weight: number
}

/** The words of a question, weighed: the rarity of a compound is that of its rarest part, as its whole is always rare. */
export const weighQuestion = (
  question: string,
  termWeights: ReadonlyMap<string, number>
): ReadonlyArray<WeightedWord> =>
  questionWords(question).map((word) => {
    const parts = word.terms.length > 1 ? word.terms.slice(0, -1) : word.terms
    return {
      ...word,
      weight: word.importance * Math.max(0, ...parts.map((term) => termWeights.get(term) ?? 0))
    }
  })

/** The weight of the words that a text (by its terms) holds. */
export const coveredWeight = (words: ReadonlyArray<WeightedWord>, terms: ReadonlySet<string>): number =>
  words.reduce((sum, word) => sum + (holds(terms, word) ? word.weight : 0), 0)

export const termSet = (text: string): ReadonlySet<string> => new Set(analyze(text))
