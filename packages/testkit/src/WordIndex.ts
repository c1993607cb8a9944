import {
  allFilters,
  type ChunkFields,
  type ChunkTerms,
  type Filter,
  InvalidInput,
  type LexicalHit,
  type LexicalIndex,
  type LexicalQuery,
  maxTopK,
  validateStoreFilter
} from "@omnirag/core/plugin"
import { compileFilter } from "@omnirag/core/filter"
import { Effect } from "effect"

/** What the index keeps of a chunk: how often it holds each term, headings weighted, and how many terms it has. */
interface Row {
  readonly fields: ChunkFields
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
}

/** How much more a term counts in a heading. */
const headingWeight = 2
/** The usual constants of BM25. */
const k1 = 1.2
const b = 0.75
/** From this number of chunks on, terms that most of them hold are left out. */
const largeIndex = 1000

const rowOf = (fields: ChunkFields, { body, heading }: ChunkTerms): Row => {
  const weights = new Map<string, number>()
  const add = (terms: ReadonlyArray<string>, weight: number) => {
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight)
  }
  add(heading, headingWeight)
  add(body, 1)
  return { fields, weights, length: heading.length + body.length }
}

/** A word index in memory, as a vector store may have one: BM25 over the terms that come with the rows. */
export class WordIndex {
  readonly #rows = new Map<string, Row>()
  /** How many searches it has answered. */
  searches = 0

  /** Writes a chunk, replacing the one with the same id. */
  set(id: string, fields: ChunkFields, terms: ChunkTerms): void {
    this.#rows.set(id, rowOf(fields, terms))
  }

  delete(ids: ReadonlyArray<string>): void {
    for (const id of ids) this.#rows.delete(id)
  }

  deleteWhere(where: Filter): void {
    const test = compileFilter(where)
    for (const [id, { fields }] of this.#rows) if (test(fields)) this.#rows.delete(id)
  }

  /** In how many chunks a term occurs. */
  frequency(term: string): number {
    let count = 0
    for (const { weights } of this.#rows.values()) if (weights.has(term)) count++
    return count
  }

  search({ common = false, limit, terms, where }: LexicalQuery): ReadonlyArray<LexicalHit> {
    this.searches++
    const chunks = this.#rows.size
    const frequencies = new Map([...new Set(terms)].map((term) => [term, this.frequency(term)]))
    const frequencyOf = (term: string): number => frequencies.get(term) ?? 0
    const isTelling = (term: string): boolean => frequencyOf(term) * 2 <= chunks
    const isSelective =
      !common && chunks >= largeIndex && terms.some((term) => frequencyOf(term) > 0 && isTelling(term))
    const used = isSelective ? terms.filter(isTelling) : terms
    const rows = [...this.#rows.values()]
    const average = rows.reduce((sum, { length }) => sum + length, 0) / Math.max(1, chunks)
    const rarity = (term: string): number =>
      Math.max(1e-6, Math.log((chunks - frequencyOf(term) + 0.5) / (frequencyOf(term) + 0.5)))
    const matches = where === undefined ? () => true : compileFilter(where)
    const hits: Array<LexicalHit> = []
    for (const [id, { fields, length, weights }] of this.#rows) {
      if (!matches(fields)) continue
      let score = 0
      for (const term of used) {
        const weight = weights.get(term)
        if (weight !== undefined)
          score += (rarity(term) * weight * (k1 + 1)) / (weight + k1 * (1 - b + (b * length) / average))
      }
      if (score > 0) hits.push({ id, score })
    }
    return hits
      .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
      .slice(0, limit)
  }

  /** How many chunks there are, and in how many of them each term occurs. */
  statistics(terms: ReadonlyArray<string>) {
    return {
      chunks: this.#rows.size,
      frequencies: new Map(terms.map((term) => [term, this.frequency(term)]))
    }
  }
}

/** The index as the part of a store or a catalog that core asks. */
export const lexicalOf = (index: WordIndex): LexicalIndex => ({
  search: Effect.fnUntraced(function* (query) {
    const { limit, where } = query
    if (!Number.isInteger(limit) || limit < 1 || limit > maxTopK)
      return yield* new InvalidInput({
        field: "limit",
        message: `the limit must be a whole number from 1 to ${maxTopK}`
      })
    if (where !== undefined) yield* Effect.fromResult(validateStoreFilter("words", allFilters, where))
    return index.search(query)
  }),
  statistics: (terms) => Effect.sync(() => index.statistics(terms)),
  // core writes the rows anew where the analysis has changed
  refresh: Effect.succeed(0)
})
