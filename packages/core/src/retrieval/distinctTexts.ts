import { Effect } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import type { Catalog } from "../ports/CatalogProvider.ts"
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
  /** The text of each chunk seen, and the chunks seen of each text. */
  const texts = new Map<string, string>()
  const chunks = new Map<string, Array<string>>()
  let stale = false

  const learn = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const unknown = ids.filter((id) => !texts.has(id))
    const keys = yield* catalog.textKeys(unknown)
    for (const id of unknown) {
      // what the catalog does not have stands for itself and is left out later
      const text = keys.get(id) ?? id
      if (!keys.has(id)) stale = true
      texts.set(id, text)
      const known = chunks.get(text)
      if (known === undefined) chunks.set(text, [id])
      else known.push(id)
    }
  })

  const chunksOf = (id: string): ReadonlyArray<string> => chunks.get(texts.get(id) ?? id) ?? [id]

  const distinct = (list: ReadonlyArray<ScoredId>): ReadonlyArray<ScoredId> => {
    const scores = new Map<string, number>()
    for (const { id, score } of list) {
      const [first = id] = chunksOf(id)
      if (!scores.has(first)) scores.set(first, score)
    }
    return Array.from(scores, ([id, score]) => ({ id, score }))
  }

  return {
    best: Effect.fnUntraced(function* (list, { enough, limit }) {
      for (let topK = limit; ; topK = Math.min(topK * widening, maxTopK)) {
        const found = yield* list(topK)
        yield* learn(found.map(({ id }) => id))
        const best = distinct(found)
        if (best.length >= enough || found.length < topK || topK === maxTopK) return best.slice(0, limit)
      }
    }),
    isStale: () => stale,
    chunksOf
  }
}
