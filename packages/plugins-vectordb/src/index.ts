import { exact } from "./exact.ts"
import { faiss } from "./faiss.ts"

export { exact, faiss }

/** Every vector store of this package. */
export const vectorStores = [faiss, exact] as const
