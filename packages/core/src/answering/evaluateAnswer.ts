import type { Evaluation, Verdict } from "../domain/Answer.ts"
import { contentWords } from "../language/words.ts"

/** What an evaluation looks at in a chunk. */
export interface EvaluatedChunk {
  readonly text: string
  /** 0 … 1. */
  readonly confidence: number
  readonly page: number | null
  readonly documentId: string
}

const verdictOf = (overall: number): Verdict =>
  overall < 0.5 ? "weak" : overall < 0.75 ? "good" : "excellent"

/**
 * How far the chunks support an answer to the question. Deterministic; no model is asked and the answer itself is not
 * read: what only the answer says supports nothing.
 *
 * `overall = 0.5 coverage + 0.4 confidence + 0.1 min(pages / 3, 1)`, where coverage is the share of the distinct content
 * words of the question that occur in the chunks (0 for a question without any), confidence the mean over the chunks,
 * and pages the number of distinct pages (documents, where there are no pages). Verdict: `unsafe` without chunks
 * (overall 0), `weak` below 0.5, `good` below 0.75, `excellent` from there. Source: omnidoc-rag 0.1.1.
 */
export const evaluateAnswer = (question: string, chunks: ReadonlyArray<EvaluatedChunk>): Evaluation => {
  const terms = [...new Set(contentWords(question))]
  if (chunks.length === 0) {
    return {
      overall: 0,
      coverage: 0,
      confidence: 0,
      sourceDiversity: 0,
      chunksUsed: 0,
      verdict: "unsafe",
      missingTerms: terms
    }
  }
  const found = new Set(chunks.flatMap((chunk) => contentWords(chunk.text)))
  const missingTerms = terms.filter((term) => !found.has(term))
  const coverage = terms.length === 0 ? 0 : (terms.length - missingTerms.length) / terms.length
  const confidence = chunks.reduce((sum, chunk) => sum + chunk.confidence, 0) / chunks.length
  const sourceDiversity = new Set(chunks.map((chunk) => `${chunk.page ?? ""}\0${chunk.documentId}`)).size
  const overall = 0.5 * coverage + 0.4 * confidence + 0.1 * Math.min(sourceDiversity / 3, 1)
  return {
    overall,
    coverage,
    confidence,
    sourceDiversity,
    chunksUsed: chunks.length,
    verdict: verdictOf(overall),
    missingTerms
  }
}
