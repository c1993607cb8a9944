import { VectorStoreError } from "../../domain/errors.ts"
import type { RowFault } from "./batchFault.ts"

/** A fault as the error of the store that found it. */
export const storeFault = (store: string, found: RowFault | undefined): VectorStoreError | undefined =>
  found === undefined ? undefined : new VectorStoreError({ store, ...found })
