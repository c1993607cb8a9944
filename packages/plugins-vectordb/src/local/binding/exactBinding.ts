import type { FaissBinding, FlatIndex, FoundRows } from "./FaissBinding.ts"
import { clampScore, innerProduct } from "./innerProduct.ts"
import { kthBest } from "./kthBest.ts"

/** One contiguous Float32Array and a scan over it, in plain TypeScript. */
export class ExactIndex implements FlatIndex {
  readonly dimensions: number
  rows = 0
  #data = new Float32Array(0)
  #scores = new Float32Array(0)

  constructor(dimensions: number) {
    this.dimensions = dimensions
  }

  reserve(rows: number): void {
    if (rows * this.dimensions <= this.#data.length) return
    const grown = new Float32Array(rows * this.dimensions)
    grown.set(this.#data.subarray(0, this.rows * this.dimensions))
    this.#data = grown
  }

  append(vectors: Float32Array): void {
    const rows = this.rows + vectors.length / this.dimensions
    if (rows * this.dimensions > this.#data.length)
      this.reserve(Math.max(rows, Math.ceil((this.#data.length / this.dimensions) * 1.5)))
    this.#data.set(vectors, this.rows * this.dimensions)
    this.rows = rows
  }

  write(row: number, vector: Float32Array): void {
    this.#data.set(vector, row * this.dimensions)
  }

  remove(row: number): void {
    const last = this.rows - 1
    this.#data.copyWithin(row * this.dimensions, last * this.dimensions, this.rows * this.dimensions)
    this.rows = last
  }

  read(first: number, into: Float32Array): void {
    const start = first * this.dimensions
    into.set(this.#data.subarray(start, start + into.length))
  }

  /** A view of one row; valid until the index changes. */
  view(row: number): Float32Array {
    return this.#data.subarray(row * this.dimensions, (row + 1) * this.dimensions)
  }

  search(query: Float32Array, k: number, picked?: Uint32Array): FoundRows {
    const count = picked === undefined ? this.rows : picked.length
    if (this.#scores.length < count) this.#scores = new Float32Array(Math.ceil(count * 1.25))
    const scores = this.#scores
    const { dimensions } = this
    const data = this.#data
    for (let i = 0; i < count; i++) {
      const row = picked === undefined ? i : (picked[i] ?? 0)
      scores[i] = clampScore(innerProduct(query, data, row * dimensions))
    }
    const least = kthBest(scores, count, k)
    const rows: Array<number> = []
    const found: Array<number> = []
    for (let i = 0; i < count; i++) {
      const score = scores[i] ?? 0
      if (score < least) continue
      rows.push(picked === undefined ? i : (picked[i] ?? 0))
      found.push(score)
    }
    return { rows: Uint32Array.from(rows), scores: Float32Array.from(found) }
  }

  dispose(): void {
    this.rows = 0
    this.#data = new Float32Array(0)
    this.#scores = new Float32Array(0)
  }
}

export const exactBinding: FaissBinding = {
  name: "exact",
  description: "plain TypeScript scan",
  open: (dimensions) => new ExactIndex(dimensions)
}
