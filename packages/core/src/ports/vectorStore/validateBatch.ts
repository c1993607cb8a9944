import type { VectorStoreError } from "../../domain/errors.ts"
import type { VectorBatch } from "../VectorStoreProvider.ts"
import { batchFault, idsFault } from "./batchFault.ts"
import { storeFault } from "./storeFault.ts"

export { unitTolerance, vectorLimits } from "./batchFault.ts"

/** Refuses ids that no store could keep: an id has 1 … 512 UTF-16 units, is well-formed and holds no NUL. */
export const validateIds = (store: string, ids: ReadonlyArray<string>): VectorStoreError | undefined =>
  storeFault(store, idsFault(ids))

/**
 * What is wrong with a batch for a collection of so many dimensions, or undefined. Every store calls this before any
 * code of its backend: one bad row refuses the whole batch. Refused are wrong counts, numbers that are not finite,
 * vectors whose length is neither 0 nor 1 within `unitTolerance`, ids that no store could keep, and an id that stands
 * twice, for it cannot be known which row was meant.
 */
export const validateBatch = (
  store: string,
  dimensions: number,
  batch: Omit<VectorBatch, "fields"> & { readonly fields: { readonly length: number } }
): VectorStoreError | undefined => storeFault(store, batchFault(dimensions, batch))
