import { analyze } from "../language/terms.ts"
import { type QuestionWord, questionWords } from "./questionWords.ts"

/** A word of a question with what it weighs against the others. */
export interface WeightedWord extends QuestionWord {
  /** Importance times rarity in the index. */
  readonly weight: number
}

/** A compound is as rare as its rarest part, yet no rarer than its whole: `GPUs` is `gpu`, though nobody writes `GP`. */
const rarity = ({ terms }: QuestionWord, termWeights: ReadonlyMap<string, number>): number => {
  const parts = terms.length > 1 ? terms.slice(0, -1) : terms
  const rarest = Math.max(0, ...parts.map((term) => termWeights.get(term) ?? 0))
  return Math.min(rarest, termWeights.get(terms.at(-1) ?? "") ?? rarest)
}

/** The words of a question, weighed. */
export const weighQuestion = (
  question: string,
  termWeights: ReadonlyMap<string, number>
): ReadonlyArray<WeightedWord> =>
  questionWords(question).map((word) => ({ ...word, weight: word.importance * rarity(word, termWeights) }))

export const termSet = (text: string): ReadonlySet<string> => new Set(analyze(text))
