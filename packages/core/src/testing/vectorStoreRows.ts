import type { ChunkFields } from "../domain/Filter.ts"
import type { VectorBatch } from "../ports/VectorStoreProvider.ts"

/** Fields for a test row; give those the test is about. */
export const chunkFields = (fields: Partial<ChunkFields> = {}): ChunkFields => ({
  documentId: "repo/readme.md",
  repo: "repo",
  bundle: null,
  path: "readme.md",
  mediaType: "text/markdown",
  intent: null,
  page: null,
  confidence: 1,
  metadata: {},
  ...fields
})

/** Scaled to length 1. */
export const unit = (...values: ReadonlyArray<number>): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

/** A batch of rows written one by one. */
export const batchOf = (
  rows: ReadonlyArray<{
    readonly id: string
    readonly vector: ArrayLike<number>
    readonly fields?: Partial<ChunkFields>
  }>
): VectorBatch => ({
  ids: rows.map((row) => row.id),
  fields: rows.map((row) => chunkFields(row.fields)),
  vectors: Float32Array.from(rows.flatMap((row) => Array.from(row.vector)))
})

/** A repeatable stream of numbers from 0 to 1 (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Unit vectors gathered round 64 centres, as embeddings are (uniform ones are all alike far from each other). */
export const clusteredVectors = (rows: number, dimensions: number, seed: number): Float32Array => {
  const next = seeded(seed)
  const centres = Float32Array.from({ length: 64 * dimensions }, () => next() - 0.5)
  const vectors = new Float32Array(rows * dimensions)
  for (let row = 0; row < rows; row++) {
    const centre = Math.floor(next() * 64) * dimensions
    let square = 0
    for (let i = 0; i < dimensions; i++) {
      const value = (centres[centre + i] ?? 0) + (next() - 0.5) * 0.5
      vectors[row * dimensions + i] = value
      square += value * value
    }
    const length = Math.sqrt(square)
    for (let i = 0; i < dimensions; i++)
      vectors[row * dimensions + i] = (vectors[row * dimensions + i] ?? 0) / length
  }
  return vectors
}
