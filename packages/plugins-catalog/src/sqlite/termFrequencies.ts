import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { numberOf } from "./columns.ts"
import { databaseState } from "./databaseState.ts"

/** Terms remembered with their frequency; a question has ten. */
const remembered = 50_000

/** In how many chunks a term of the index occurs, and how many chunks there are. Ask inside a read transaction. */
export interface TermFrequencies {
  readonly frequency: (term: string) => number
  readonly chunks: () => number
}

/**
 * Frequencies as of the state that the open read transaction sees. FTS5 counts by walking all chunks with the term, so
 * they are remembered until this connection or another has written.
 */
export const termFrequencies = (database: CatalogDatabase): (() => TermFrequencies) => {
  const known = new Map<string, number>()
  let state = ""
  let chunkCount: number | undefined

  const frequency = (term: string): number => {
    const before = known.get(term)
    if (before !== undefined) return before
    const row = database.statement("SELECT doc FROM lexical_terms WHERE term = ?").get(term)
    const found = row === undefined ? 0 : numberOf(row, "doc")
    if (known.size >= remembered) known.clear()
    known.set(term, found)
    return found
  }

  // a walk over the rows of an index, as well
  const chunks = (): number =>
    (chunkCount ??= numberOf(
      database.statement("SELECT count(*) AS chunks FROM chunks").get() ?? {},
      "chunks"
    ))

  return () => {
    const now = databaseState(database)
    if (now !== state) {
      known.clear()
      chunkCount = undefined
    }
    state = now
    return { frequency, chunks }
  }
}
