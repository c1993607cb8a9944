import { analysisVersion, type Catalog } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter, Transaction } from "./CatalogWriter.ts"
import { chunkColumns, chunkOf } from "./chunkRows.ts"
import { updateTerms } from "./chunkWrites.ts"
import { numberOf, textOf } from "./columns.ts"
import { readMeta, writeMeta } from "./meta.ts"
import { chunkTerms, chunkTermsVersion } from "./termEncoding.ts"

/** What the terms of this program are made by: the analysis of core, and what is made of a chunk here. */
const current = `${analysisVersion}.${chunkTermsVersion}`

const versionKey = "lexical.terms"

/** How far the terms have been made anew: the version they are made to, and the last chunk done. */
const progressKey = "lexical.progress"

/** Chunks whose terms are made anew in one transaction, before other fibers get a turn. */
const slice = 32

/** Writes down that the terms, of which there are none yet, are those of this program. */
export const writeTermsVersion = (database: Transaction): void => {
  writeMeta(database, versionKey, current)
}

/** True when the terms in the lexical index are those this program makes of the same text. */
export const termsAreCurrent = (database: Transaction): boolean => readMeta(database, versionKey) === current

const doneBefore = (database: Transaction): number => {
  const [version, key] = (readMeta(database, progressKey) ?? "").split(" ")
  return version === current ? Number(key) : 0
}

/** Makes the terms of the next chunks anew in one transaction; returns how many chunks there were. */
const refreshSlice = (database: Transaction): number => {
  const rows = database
    .statement(
      `SELECT c.key, d.title, ${chunkColumns} FROM chunks c CROSS JOIN documents d ON d.key = c.document
         WHERE c.key > ? ORDER BY c.key LIMIT ${slice}`
    )
    .all(doneBefore(database))
  for (const row of rows)
    updateTerms(database, numberOf(row, "key"), chunkTerms(textOf(row, "title"), chunkOf(row)))
  const last = rows.at(-1)
  if (last === undefined) {
    writeTermsVersion(database)
    database.statement("DELETE FROM meta WHERE key = ?").run(progressKey)
  } else {
    writeMeta(database, progressKey, `${current} ${numberOf(last, "key")}`)
  }
  return rows.length
}

/** Keeps the terms of the index at those of this program. */
export const termsVersion = (
  database: CatalogDatabase,
  writer: CatalogWriter
): Pick<Catalog, "refreshTerms"> => ({
  refreshTerms: Effect.gen(function* () {
    let chunks = 0
    if (yield* database.attempt("refreshTerms", () => termsAreCurrent(database))) return chunks
    for (;;) {
      const done = yield* writer.write("refreshTerms", refreshSlice)
      if (done === 0) return chunks
      chunks += done
      yield* Effect.yieldNow
    }
  })
})
