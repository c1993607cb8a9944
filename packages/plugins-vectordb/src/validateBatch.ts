import { maxTopK, type CollectionSpec, type VectorBatch, VectorStoreError } from "@omnirag/core"

/** Limits every store of this package keeps, whatever its backend could take. */
export const limits = { idLength: 512, dimensions: 65_536, collectionLength: 128 } as const

/** A vector is a unit vector when its length differs from 1 by no more than this. */
export const unitTolerance = 1e-3

type Reason = VectorStoreError["reason"]

const fault = (store: string, reason: Reason, message: string) =>
  new VectorStoreError({ store, reason, message })

/** An id: 1 … 512 UTF-16 units, well-formed, without NUL. Gives what is wrong with it. */
const idFault = (id: unknown): string | undefined => {
  if (typeof id !== "string") return "is not a string"
  if (id.length === 0) return "is empty"
  if (id.length > limits.idLength) return `is longer than ${limits.idLength} characters`
  if (id.includes("\0")) return "holds a NUL character"
  return id.isWellFormed() ? undefined : "holds half a surrogate pair"
}

/** Refuses ids that no store could keep. */
export const validateIds = (store: string, ids: ReadonlyArray<string>): VectorStoreError | undefined => {
  for (const [row, id] of ids.entries()) {
    const found = idFault(id)
    if (found !== undefined) return fault(store, "id", `the id of row ${row} ${found}`)
  }
  return undefined
}

const vectorFault = (
  store: string,
  vectors: Float32Array,
  start: number,
  dimensions: number,
  name: () => string
): VectorStoreError | undefined => {
  let square = 0
  // in bounds: the caller compared the lengths
  for (let i = start; i < start + dimensions; i++) square += (vectors[i] as number) ** 2
  if (!Number.isFinite(square)) {
    const bad = vectors.subarray(start, start + dimensions).findIndex((value) => !Number.isFinite(value))
    return fault(store, "notFinite", `${name()} holds ${vectors[start + bad]} at position ${bad}`)
  }
  // the zero vector stands for a text without known words: it is like nothing, its scores are 0
  if (square === 0 || Math.abs(Math.sqrt(square) - 1) <= unitTolerance) return undefined
  return fault(store, "notUnit", `${name()} has length ${Math.sqrt(square).toPrecision(6)}, not 1`)
}

/**
 * What is wrong with a batch, or undefined. Every store calls this before any code of its backend: one bad row refuses
 * the whole batch. An id that stands twice in one batch is refused, for it cannot be known which row was meant.
 */
export const validateBatch = (
  store: string,
  dimensions: number,
  batch: Omit<VectorBatch, "fields"> & { readonly fields: { readonly length: number } }
): VectorStoreError | undefined => {
  const { ids, fields, vectors } = batch
  const rows = ids.length
  if (!(vectors instanceof Float32Array)) return fault(store, "count", "vectors are not a Float32Array")
  if (fields.length !== rows)
    return fault(store, "count", `the batch has ${rows} ids but fields for ${fields.length} rows`)
  if (vectors.length !== rows * dimensions)
    return rows > 0 && vectors.length > 0 && vectors.length % rows === 0
      ? fault(
          store,
          "dimensions",
          `the vectors have ${vectors.length / rows} dimensions, the collection has ${dimensions}`
        )
      : fault(
          store,
          "count",
          `${rows} rows of ${dimensions} dimensions need ${rows * dimensions} numbers, not ${vectors.length}`
        )
  const badId = validateIds(store, ids)
  if (badId !== undefined) return badId
  const seen = new Set<string>()
  for (const [row, id] of ids.entries()) {
    if (seen.size === seen.add(id).size)
      return fault(store, "id", `the id of row ${row} stands twice in the batch: "${id}"`)
    const bad = vectorFault(store, vectors, row * dimensions, dimensions, () => `the vector of row ${row}`)
    if (bad !== undefined) return bad
  }
  return undefined
}

/** What is wrong with the vector or the `topK` of a query, or undefined. Filters: `validateFilter` of core. */
export const validateQuery = (
  store: string,
  dimensions: number,
  query: { readonly vector: Float32Array; readonly topK: number }
): VectorStoreError | undefined => {
  if (!Number.isInteger(query.topK) || query.topK < 1 || query.topK > maxTopK)
    return fault(store, "topK", `topK must be an integer from 1 to ${maxTopK}, not ${query.topK}`)
  if (!(query.vector instanceof Float32Array))
    return fault(store, "dimensions", "the query vector is not a Float32Array")
  if (query.vector.length !== dimensions)
    return fault(
      store,
      "dimensions",
      `the query vector has ${query.vector.length} dimensions, the collection has ${dimensions}`
    )
  return vectorFault(store, query.vector, 0, dimensions, () => "the query vector")
}

/** What is wrong with a request to open a collection, or undefined. */
export const validateCollection = (
  store: string,
  spec: Pick<CollectionSpec, "collection" | "dimensions">
): VectorStoreError | undefined => {
  const { collection, dimensions } = spec
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > limits.dimensions)
    return fault(
      store,
      "dimensions",
      `dimensions must be an integer from 1 to ${limits.dimensions}, not ${dimensions}`
    )
  return /^[A-Za-z0-9_-]+$/.test(collection) && collection.length <= limits.collectionLength
    ? undefined
    : fault(
        store,
        "id",
        `a collection is named by 1 to ${limits.collectionLength} letters, digits, "_" or "-", not "${collection}"`
      )
}
