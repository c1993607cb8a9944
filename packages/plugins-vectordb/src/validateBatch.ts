import { maxTopK, type CollectionSpec, type VectorBatch, VectorStoreError } from "@omnirag/core/plugin"
import { batchFault, idsFault, limits, type RowFault, vectorFault } from "./batchFault.ts"

export { limits, unitTolerance } from "./batchFault.ts"

const fault = (store: string, reason: RowFault["reason"], message: string) =>
  new VectorStoreError({ store, reason, message })

const errorOf = (store: string, found: RowFault | undefined) =>
  found === undefined ? undefined : new VectorStoreError({ store, ...found })

/** Refuses ids that no store could keep. */
export const validateIds = (store: string, ids: ReadonlyArray<string>): VectorStoreError | undefined =>
  errorOf(store, idsFault(ids))

/**
 * What is wrong with a batch, or undefined. Every store calls this before any code of its backend: one bad row refuses
 * the whole batch. An id that stands twice in one batch is refused, for it cannot be known which row was meant.
 */
export const validateBatch = (
  store: string,
  dimensions: number,
  batch: Omit<VectorBatch, "fields"> & { readonly fields: { readonly length: number } }
): VectorStoreError | undefined => errorOf(store, batchFault(dimensions, batch))

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
  return errorOf(
    store,
    vectorFault(query.vector, 0, dimensions, () => "the query vector")
  )
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
