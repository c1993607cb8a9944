import type { ChunkAnalysis } from "@omnirag/core/plugin"
import type { Transaction } from "./CatalogWriter.ts"
import { numberOf } from "./columns.ts"
import { readMeta, writeMeta } from "./meta.ts"

const versionKey = "lexical.terms"

/** How far the terms have been made anew: the version they are made to, and the last chunk done. */
export const progressKey = "lexical.progress"

/** True when the terms in the lexical index are those this analysis makes of the same text. */
export const termsAreCurrent = (database: Transaction, { version }: ChunkAnalysis): boolean =>
  readMeta(database, versionKey) === version

/** Writes down that all terms in the index are made by this analysis. */
export const writeTermsVersion = (database: Transaction, { version }: ChunkAnalysis): void => {
  writeMeta(database, versionKey, version)
  database.statement("DELETE FROM meta WHERE key = ?").run(progressKey)
}

/** Call it before chunks are added: where there are none yet, the terms to come are the first. */
export const claimEmptyIndex = (database: Transaction, analysis: ChunkAnalysis): void => {
  if (termsAreCurrent(database, analysis)) return
  const row = database.statement("SELECT EXISTS (SELECT 1 FROM chunks) AS some").get()
  if (numberOf(row ?? {}, "some") === 0) writeTermsVersion(database, analysis)
}
