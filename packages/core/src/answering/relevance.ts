import type { Passage } from "../ports/AnswerGenerator.ts"
import { holds } from "./questionWords.ts"
import { coveredWeight, termSet, weighQuestion } from "./weighQuestion.ts"

/** Share of the vectors' similarity in the relevance of a passage; words have the rest. */
const similarityShare = 0.4
/** What a name of the question that occurs in no passage leaves of the words' share. */
const missingNameFactor = 0.6

/** How well passages fit a question. */
export interface Relevance {
  /** 0 … 1: that of the best passage. */
  readonly score: number
  /** Words of the question that occur in none of the passages. */
  readonly missing: ReadonlyArray<string>
  /** False where no passage was found by its vector: the score is that of the words alone. */
  readonly similarityKnown: boolean
}

/**
 * How far passages can be about a question. For each passage: 0.6 × the share of the question's words that it holds,
 * weighed by rarity (a word that occurs nowhere weighs most, a name twice, a word that only frames the question a
 * quarter), each name that no passage holds taking off 40 %; plus 0.4 × the cosine of passage and question. The best
 * passage counts. Where no vectors were searched, the words alone. How the figures were found: docs/decisions, "An answer
 * needs a relevant passage".
 */
export const relevance = (
  question: string,
  passages: ReadonlyArray<Passage>,
  termWeights: ReadonlyMap<string, number>
): Relevance => {
  const words = weighQuestion(question, termWeights)
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const terms = passages.map(({ hit }) =>
    termSet([hit.repo, hit.path, hit.title, ...hit.chunk.headingPath, hit.chunk.text].join("\n"))
  )
  const missing = words.filter((word) => !terms.some((held) => holds(held, word)))
  const penalty = missingNameFactor ** missing.filter(({ isName }) => isName).length
  const similarityKnown = passages.some(({ hit }) => hit.scores.vector !== null)
  const scores = passages.map(({ hit }, index) => {
    const covered = coveredWeight(words, terms[index] ?? new Set())
    const coverage = total === 0 ? 0 : (covered / total) * penalty
    return similarityKnown
      ? (1 - similarityShare) * coverage + similarityShare * Math.max(0, hit.scores.vector ?? 0)
      : coverage
  })
  return { score: Math.max(0, ...scores), missing: missing.map(({ text }) => text), similarityKnown }
}
