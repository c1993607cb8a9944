import { exact } from "./exact.ts"
import { faiss } from "./faiss.ts"

export { exact, faiss }
export {
  limits,
  unitTolerance,
  validateBatch,
  validateCollection,
  validateIds,
  validateQuery
} from "./validateBatch.ts"

/** Every vector store of this package. */
export const vectorStores = [faiss, exact] as const
