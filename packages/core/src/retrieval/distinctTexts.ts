import { Effect } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { maxTopK } from "../ports/VectorStoreProvider.ts"
import type { ScoredId } from "./fusion.ts"

/** How much more is asked for when repeats have used up a list. */
const widening = 4

/** A list of candidates in which each text of a source stands once. */
export interface DistinctTexts {
  /**
   * The best candidates of one list, best first, each text of a source by the chunk it was first seen with in any list.
   * A list that repeats have used up is asked for again, longer, until it holds `enough` texts, or has no more.
   */
  readonly best: <E>(
    list: (topK: number) => Effect.Effect<ReadonlyArray<ScoredId>, E>,
    bounds: { readonly limit: number; readonly enough: number }
  ) => Effect.Effect<ReadonlyArray<ScoredId>, E | CatalogError>
  /** True when a list held a chunk that the catalog does not have: the list is older than the catalog. */
  readonly isStale: () => boolean
  /** The chunks that the lists held of the text a chunk stands for, that chunk first. */
  readonly chunksOf: (id: string) => ReadonlyArray<string>
}

/** Joins repeats of a text across the candidate lists of one search. */
export const makeDistinctTexts = (catalog: Catalog): DistinctTexts => {
  /** The chunk each text was first seen with, and that of the text of each chunk seen. */
  const firstOfText = new Map<string, string>()
  const firstOf = new Map<string, string>()
  /** All chunks of a text that was seen with several, by the first: few, as a rule none. */
  const repeated = new Map<string, Array<string>>()
  let stale = false

  const learn = Effect.fnUntraced(function* (list: ReadonlyArray<ScoredId>) {
    const unknown: Array<string> = []
    for (const { id } of list) if (!firstOf.has(id)) unknown.push(id)
    if (unknown.length === 0) return
    const keys = yield* catalog.chunks.textKeys(unknown)
    for (const id of unknown) {
      const text = keys.get(id)
      // what the catalog does not have stands for itself and is left out later
      if (text === undefined) stale = true
      const first = firstOfText.get(text ?? id)
      firstOf.set(id, first ?? id)
      if (first === undefined) firstOfText.set(text ?? id, id)
      else repeated.set(first, [...(repeated.get(first) ?? [first]), id])
    }
  })

  const distinct = (list: ReadonlyArray<ScoredId>): ReadonlyArray<ScoredId> => {
    const seen = new Set<string>()
    const best: Array<ScoredId> = []
    for (const scored of list) {
      const first = firstOf.get(scored.id) ?? scored.id
      if (seen.has(first)) continue
      seen.add(first)
      best.push(first === scored.id ? scored : { id: first, score: scored.score })
    }
    return best
  }

  return {
    best: Effect.fnUntraced(function* (list, { enough, limit }) {
      for (let topK = limit; ; topK = Math.min(topK * widening, maxTopK)) {
        const found = yield* list(topK)
        yield* learn(found)
        const best = distinct(found)
        if (best.length >= enough || found.length < topK || topK === maxTopK) return best.slice(0, limit)
      }
    }),
    isStale: () => stale,
    chunksOf: (id) => {
      const first = firstOf.get(id) ?? id
      return repeated.get(first) ?? [first]
    }
  }
}
