import { Effect } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import { queryTerms } from "../language/terms.ts"
import type { LexicalIndex } from "../ports/catalog/LexicalIndex.ts"

/**
 * How much a term tells, by how rare it is in the index: `ln(1 + (N − n + 0.5) / (n + 0.5))` for a term in n of N chunks
 * (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). A term that occurs nowhere weighs most.
 */
export const inverseDocumentFrequency = (chunks: number, frequency: number): number =>
  Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))

/** The weight of each distinct term of a question, as `queryTerms` makes them, in the index at hand. */
export const termWeights = Effect.fn("termWeights")(function* (
  question: string,
  lexical: LexicalIndex
): Effect.fn.Return<ReadonlyMap<string, number>, CatalogError> {
  const terms = [...new Set(queryTerms(question))]
  const { chunks, frequencies } = yield* lexical.statistics(terms)
  return new Map(terms.map((term) => [term, inverseDocumentFrequency(chunks, frequencies.get(term) ?? 0)]))
})
