import { compileFilter } from "../domain/compileFilter.ts"
import { dotProduct } from "../domain/dotProduct.ts"
import type { ChunkFields, Filter } from "../domain/Filter.ts"
import type { VectorBatch, VectorHit, VectorQuery } from "../ports/VectorStoreProvider.ts"

interface Row {
  readonly fields: ChunkFields
  readonly vector: Float32Array
}

/**
 * Rows in memory. `lag` is the number of looks after a write that do not see it yet: an eventually consistent store
 * without a clock.
 */
export class LimitedCollection {
  readonly dimensions: number
  readonly #lag: number
  readonly #rows = new Map<string, Row>()
  /** Writes no look has seen, each with the number of looks that will still miss it. */
  #hidden: Array<{ looks: number; readonly apply: () => void }> = []

  constructor(dimensions: number, lag: number) {
    this.dimensions = dimensions
    this.#lag = lag
  }

  upsert({ fields, ids, vectors }: VectorBatch): void {
    this.#write(() => {
      for (const [row, id] of ids.entries()) {
        const known = fields[row]
        if (known === undefined) continue
        const vector = vectors.slice(row * this.dimensions, (row + 1) * this.dimensions)
        this.#rows.set(id, { fields: known, vector })
      }
    })
  }

  delete(ids: ReadonlyArray<string>): void {
    this.#write(() => {
      for (const id of ids) this.#rows.delete(id)
    })
  }

  deleteWhere(where: Filter): void {
    const test = compileFilter(where)
    this.#write(() => {
      for (const [id, { fields }] of this.#rows) if (test(fields)) this.#rows.delete(id)
    })
  }

  query({ ids, topK, vector, where }: VectorQuery): ReadonlyArray<VectorHit> {
    const rows = this.#look()
    const test = where === undefined ? () => true : compileFilter(where)
    const hits: Array<VectorHit> = []
    for (const id of ids === undefined ? rows.keys() : new Set(ids)) {
      const row = rows.get(id)
      if (row === undefined || !test(row.fields)) continue
      const score = Math.min(1, Math.max(-1, dotProduct(vector, row.vector)))
      hits.push({ id, score })
    }
    return hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, topK)
  }

  count(where: Filter | undefined): number {
    const rows = this.#look()
    if (where === undefined) return rows.size
    const test = compileFilter(where)
    return [...rows.values()].filter(({ fields }) => test(fields)).length
  }

  /** All ids, ascending by UTF-16 units. */
  ids(): ReadonlyArray<string> {
    return [...this.#look().keys()].toSorted()
  }

  #write(apply: () => void): void {
    if (this.#lag === 0) apply()
    else this.#hidden.push({ looks: this.#lag, apply })
  }

  #look(): ReadonlyMap<string, Row> {
    // in the order of writing: a later write waits at least as long as an earlier one
    while (this.#hidden[0]?.looks === 0) this.#hidden.shift()?.apply()
    for (const write of this.#hidden) write.looks--
    return this.#rows
  }
}
