import type { VectorStoreError } from "../../domain/errors.ts"
import type { VectorBatch } from "../VectorStoreProvider.ts"

// No import but types: worker threads load this, and must not wait for the whole of Effect.

/**
 * Limits that every vector store keeps, whatever its backend could take: UTF-16 units of an id, numbers of a vector,
 * characters of the name of a collection.
 */
export const vectorLimits = { idLength: 512, dimensions: 65_536, collectionLength: 128 } as const

/** A vector is a unit vector when its length differs from 1 by no more than this. The zero vector is allowed as well. */
export const unitTolerance = 1e-3

/** Why a call is refused; becomes a `VectorStoreError` where there is a store to name. */
export interface RowFault {
  readonly reason: VectorStoreError["reason"]
  readonly message: string
}

const fault = (reason: RowFault["reason"], message: string): RowFault => ({ reason, message })

/** An id: 1 … 512 UTF-16 units, well-formed, without NUL. Gives what is wrong with it. */
const idFault = (id: unknown): string | undefined => {
  if (typeof id !== "string") return "is not a string"
  if (id.length === 0) return "is empty"
  if (id.length > vectorLimits.idLength) return `is longer than ${vectorLimits.idLength} characters`
  if (id.includes("\0")) return "holds a NUL character"
  return id.isWellFormed() ? undefined : "holds half a surrogate pair"
}

/** What is wrong with the first id that no store could keep, or undefined. */
export const idsFault = (ids: ReadonlyArray<string>): RowFault | undefined => {
  for (const [row, id] of ids.entries()) {
    const found = idFault(id)
    if (found !== undefined) return fault("id", `the id of row ${row} ${found}`)
  }
  return undefined
}

/** What is wrong with the vector of `dimensions` numbers at `start`, or undefined; `name` says which one it is. */
export const vectorFault = (
  vectors: Float32Array,
  start: number,
  dimensions: number,
  name: () => string
): RowFault | undefined => {
  let square = 0
  // in bounds: the caller compared the lengths
  for (let i = start; i < start + dimensions; i++) square += (vectors[i] as number) ** 2
  if (!Number.isFinite(square)) {
    const bad = vectors.subarray(start, start + dimensions).findIndex((value) => !Number.isFinite(value))
    return fault("notFinite", `${name()} holds ${vectors[start + bad]} at position ${bad}`)
  }
  // the zero vector stands for a text without known words
  if (square === 0 || Math.abs(Math.sqrt(square) - 1) <= unitTolerance) return undefined
  return fault("notUnit", `${name()} has length ${Math.sqrt(square).toPrecision(6)}, not 1`)
}

/**
 * What is wrong with a batch for a collection of so many dimensions, or undefined. One bad row refuses the whole batch.
 * An id that stands twice in one batch is refused, for it cannot be known which row was meant. A zero vector is no
 * fault: it stands for a text without known words, and its cosines are 0.
 */
export const batchFault = (
  dimensions: number,
  batch: Omit<VectorBatch, "fields"> & { readonly fields: { readonly length: number } }
): RowFault | undefined => {
  const { ids, fields, vectors } = batch
  const rows = ids.length
  if (!(vectors instanceof Float32Array)) return fault("count", "vectors are not a Float32Array")
  if (fields.length !== rows)
    return fault("count", `the batch has ${rows} ids but fields for ${fields.length} rows`)
  if (vectors.length !== rows * dimensions)
    return rows > 0 && vectors.length > 0 && vectors.length % rows === 0
      ? fault(
          "dimensions",
          `the vectors have ${vectors.length / rows} dimensions, the collection has ${dimensions}`
        )
      : fault(
          "count",
          `${rows} rows of ${dimensions} dimensions need ${rows * dimensions} numbers, not ${vectors.length}`
        )
  const badId = idsFault(ids)
  if (badId !== undefined) return badId
  const seen = new Set<string>()
  for (const [row, id] of ids.entries()) {
    if (seen.size === seen.add(id).size)
      return fault("id", `the id of row ${row} stands twice in the batch: "${id}"`)
    const bad = vectorFault(vectors, row * dimensions, dimensions, () => `the vector of row ${row}`)
    if (bad !== undefined) return bad
  }
  return undefined
}
