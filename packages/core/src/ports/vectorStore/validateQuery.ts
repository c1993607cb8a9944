import { VectorStoreError } from "../../domain/errors.ts"
import { maxIds, maxTopK } from "../VectorStoreProvider.ts"
import { idsFault, vectorFault } from "./batchFault.ts"
import { storeFault } from "./storeFault.ts"

const fault = (store: string, reason: VectorStoreError["reason"], message: string) =>
  new VectorStoreError({ store, reason, message })

/**
 * What is wrong with the vector, the `topK` or the `ids` of a query, or undefined. The filter has a check of its own,
 * `validateStoreFilter`.
 */
export const validateQuery = (
  store: string,
  dimensions: number,
  query: {
    readonly vector: Float32Array
    readonly topK: number
    readonly ids?: ReadonlyArray<string> | undefined
  }
): VectorStoreError | undefined => {
  const { ids = [], topK, vector } = query
  if (!Number.isInteger(topK) || topK < 1 || topK > maxTopK)
    return fault(store, "topK", `topK must be an integer from 1 to ${maxTopK}, not ${topK}`)
  if (!(vector instanceof Float32Array))
    return fault(store, "dimensions", "the query vector is not a Float32Array")
  if (vector.length !== dimensions)
    return fault(
      store,
      "dimensions",
      `the query vector has ${vector.length} dimensions, the collection has ${dimensions}`
    )
  if (ids.length > maxIds)
    return fault(store, "count", `a query may be limited to ${maxIds} ids, not to ${ids.length}`)
  return storeFault(store, idsFault(ids) ?? vectorFault(vector, 0, dimensions, () => "the query vector"))
}

/** What is wrong with a page of ids that is asked for, or undefined: `limit` is 1 … `maxIds`. */
export const validateIdPage = (
  store: string,
  page: { readonly after?: string | undefined; readonly limit: number }
): VectorStoreError | undefined =>
  Number.isInteger(page.limit) && page.limit >= 1 && page.limit <= maxIds
    ? undefined
    : fault(store, "count", `a page holds 1 to ${maxIds} ids, not ${page.limit}`)
