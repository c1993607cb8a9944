import type { VectorBatch } from "../ports/VectorStoreProvider.ts"
import type { VectorStoreError } from "../domain/errors.ts"
import { batchOf, chunkFields } from "./vectorStoreRows.ts"

/** A batch of two rows in two dimensions: one replaces row `a`, one is new. */
const good = (): VectorBatch =>
  batchOf([
    { id: "a", vector: [0, 1], fields: { repo: "changed" } },
    { id: "b", vector: [0, 1] }
  ])
const withVectors = (...vectors: ReadonlyArray<number>): VectorBatch => ({
  ...good(),
  vectors: Float32Array.from(vectors)
})

/** Batches that a collection of two dimensions must refuse as a whole, with the reason it must give. */
export const badBatches: ReadonlyArray<{
  readonly title: string
  readonly reason: VectorStoreError["reason"]
  readonly make: () => VectorBatch
}> = [
  { title: "NaN", reason: "notFinite", make: () => withVectors(0, 1, Number.NaN, 0) },
  { title: "Infinity", reason: "notFinite", make: () => withVectors(0, 1, Infinity, 0) },
  { title: "a vector of length 2", reason: "notUnit", make: () => withVectors(0, 1, 0, 2) },
  { title: "a vector of length 1.01", reason: "notUnit", make: () => withVectors(0, 1, 0, 1.01) },
  { title: "three dimensions", reason: "dimensions", make: () => withVectors(0, 1, 0, 0, 1, 0) },
  { title: "one dimension", reason: "dimensions", make: () => withVectors(1, 1) },
  { title: "five numbers", reason: "count", make: () => withVectors(0, 1, 0, 1, 0) },
  { title: "no numbers", reason: "count", make: () => withVectors() },
  { title: "fewer fields than ids", reason: "count", make: () => ({ ...good(), fields: [chunkFields()] }) },
  { title: "an id twice", reason: "id", make: () => ({ ...good(), ids: ["b", "b"] }) },
  { title: "an empty id", reason: "id", make: () => ({ ...good(), ids: ["a", ""] }) },
  {
    title: "an id of 513 characters",
    reason: "id",
    make: () => ({ ...good(), ids: ["a", "x".repeat(513)] })
  },
  { title: "an id with NUL", reason: "id", make: () => ({ ...good(), ids: ["a", "x\0"] }) },
  { title: "half a surrogate pair", reason: "id", make: () => ({ ...good(), ids: ["a", "x\ud800"] }) }
]
