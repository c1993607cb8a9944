import type { CatalogError, ChunkAnalysis } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter, Transaction } from "./CatalogWriter.ts"
import { chunkColumns, chunkOf } from "./chunkRows.ts"
import { updateTerms } from "./chunkWrites.ts"
import { numberOf, textOf } from "./columns.ts"
import { readMeta, writeMeta } from "./meta.ts"
import { progressKey, termsAreCurrent, writeTermsVersion } from "./termsVersion.ts"

/** Chunks whose terms are made anew in one transaction, before other fibers get a turn. */
const slice = 32

const doneBefore = (database: Transaction, wanted: string): number => {
  const [version, key] = (readMeta(database, progressKey) ?? "").split(" ")
  return version === wanted ? Number(key) : 0
}

/** Makes the terms of the next chunks anew in one transaction; returns how many chunks there were. */
const refreshSlice = (database: Transaction, analysis: ChunkAnalysis): number => {
  const { termsOf, version } = analysis
  const rows = database
    .statement(
      `SELECT c.key, d.title, ${chunkColumns} FROM chunks c CROSS JOIN documents d ON d.key = c.document
         WHERE c.key > ? ORDER BY c.key LIMIT ${slice}`
    )
    .all(doneBefore(database, version))
  for (const row of rows)
    updateTerms(database, numberOf(row, "key"), termsOf(textOf(row, "title"), chunkOf(row)))
  const last = rows.at(-1)
  if (last === undefined) writeTermsVersion(database, analysis)
  else writeMeta(database, progressKey, `${version} ${numberOf(last, "key")}`)
  return rows.length
}

/** Brings the terms of the index to those of the analysis in use; returns for how many chunks. */
export const refreshTerms = (
  database: CatalogDatabase,
  writer: CatalogWriter,
  analysis: ChunkAnalysis
): Effect.Effect<number, CatalogError> =>
  Effect.gen(function* () {
    let chunks = 0
    if (yield* database.attempt("lexical.refresh", () => termsAreCurrent(database, analysis))) return chunks
    for (;;) {
      const done = yield* writer.write("lexical.refresh", (transaction) =>
        refreshSlice(transaction, analysis)
      )
      if (done === 0) return chunks
      chunks += done
      yield* Effect.yieldNow
    }
  })
