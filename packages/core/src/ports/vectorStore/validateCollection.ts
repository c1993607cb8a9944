import { VectorStoreError } from "../../domain/errors.ts"
import type { GenerationRef } from "../GenerationRef.ts"
import { collectionName, type CollectionSpec } from "../VectorStoreProvider.ts"
import { vectorLimits } from "./batchFault.ts"

/** What is wrong with the names of a generation, of which its collection is named, or undefined. */
export const validateGeneration = (
  store: string,
  generation: GenerationRef
): VectorStoreError | undefined => {
  const { id, index } = generation
  if (
    [index, id].every((name) => /^[A-Za-z0-9_-]+$/.test(name)) &&
    collectionName(generation).length <= vectorLimits.collectionLength
  )
    return undefined
  return new VectorStoreError({
    store,
    reason: "id",
    message: `index and generation are named by letters, digits, "_" or "-", and their collection by at most ${vectorLimits.collectionLength} of them; "${collectionName(generation)}" is not such a name`
  })
}

/** What is wrong with a request to open a collection, or undefined. */
export const validateCollection = (store: string, spec: CollectionSpec): VectorStoreError | undefined => {
  const { dimensions, generation } = spec
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > vectorLimits.dimensions)
    return new VectorStoreError({
      store,
      reason: "dimensions",
      message: `dimensions must be an integer from 1 to ${vectorLimits.dimensions}, not ${dimensions}`
    })
  return validateGeneration(store, generation)
}
