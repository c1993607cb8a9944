import type { Passage } from "../ports/AnswerGenerator.ts"
import { holds } from "./questionWords.ts"
import { termSet, weighQuestion } from "./weighQuestion.ts"

/** Share of the vectors' similarity in the relevance of a passage; words have the rest. */
const similarityShare = 0.4
/** What a word counts that not the passage holds but another one found in the same document. */
const documentShare = 0.5
/** What a name of the question that the passage's document is not known to hold leaves of the words' share. */
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
 * weighed by rarity (a word that occurs nowhere weighs most, a word that only frames the question a quarter); a word that
 * only another passage from its document holds counts half, and each name that none of them holds takes off 40 %. Plus
 * 0.4 × the cosine of passage and question. The best passage counts. Where no vectors were searched, the words alone. How
 * the figures were found: docs/decisions, "An answer needs a relevant passage".
 */
export const relevance = (
  question: string,
  passages: ReadonlyArray<Passage>,
  termWeights: ReadonlyMap<string, number>
): Relevance => {
  const words = weighQuestion(question, termWeights)
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const found = passages.map(({ hit }) => ({
    hit,
    terms: termSet([hit.repo, hit.path, hit.title, ...hit.chunk.headingPath, hit.chunk.text].join("\n"))
  }))
  const similarityKnown = found.some(({ hit }) => hit.scores.vector !== null)
  const scores = found.map(({ hit, terms }) => {
    const siblings = found.filter((other) => other.hit.chunk.documentId === hit.chunk.documentId)
    let covered = 0
    let penalty = 1
    for (const word of words) {
      if (holds(terms, word)) covered += word.weight
      else if (siblings.some((other) => holds(other.terms, word))) covered += documentShare * word.weight
      else if (word.isName) penalty *= missingNameFactor
    }
    const coverage = total === 0 ? 0 : (covered / total) * penalty
    return similarityKnown
      ? (1 - similarityShare) * coverage + similarityShare * Math.max(0, hit.scores.vector ?? 0)
      : coverage
  })
  return {
    score: Math.max(0, ...scores),
    missing: words.filter((word) => !found.some(({ terms }) => holds(terms, word))).map(({ text }) => text),
    similarityKnown
  }
}
