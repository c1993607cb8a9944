import { Context, Effect, Layer } from "effect"
import type { IndexError } from "../domain/errors.ts"
import { Generations } from "../index/Generations.ts"
import { queryTerms } from "../language/terms.ts"

/**
 * How much a term tells, by how rare it is in the index: `ln(1 + (N − n + 0.5) / (n + 0.5))` for a term in n of N chunks
 * (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). A term that occurs nowhere weighs most.
 */
export const inverseDocumentFrequency = (chunks: number, frequency: number): number =>
  Math.log(1 + (chunks - frequency + 0.5) / (frequency + 0.5))

/** Weighs the terms of a question against the live index. */
export class TermWeights extends Context.Service<
  TermWeights,
  {
    /** The weight of each distinct term of the question, as `queryTerms` makes them. */
    readonly of: (question: string) => Effect.Effect<ReadonlyMap<string, number>, IndexError>
  }
>()("@omnirag/core/answering/TermWeights") {
  static readonly layer = Layer.effect(
    TermWeights,
    Effect.gen(function* () {
      const generations = yield* Generations
      const of = Effect.fn("TermWeights.of")(function* (question: string) {
        const terms = [...new Set(queryTerms(question))]
        const { catalog } = yield* generations.live
        const { chunks, frequencies } = yield* catalog.documentFrequencies(terms)
        return new Map(
          terms.map((term) => [term, inverseDocumentFrequency(chunks, frequencies.get(term) ?? 0)])
        )
      }, Effect.scoped)
      return TermWeights.of({ of })
    })
  )
}
