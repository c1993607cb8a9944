import type { Catalog, ChunkAnalysis } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter, Transaction } from "./CatalogWriter.ts"
import { numberOf, textOf } from "./columns.ts"
import { contentFaults } from "./contentFaults.ts"
import { isDamage } from "./describeFailure.ts"

/**
 * FTS5 remembers how its index is laid out, and only a query makes it see that another connection has changed that.
 * Without one, a check would call an index corrupt that has just been written to (SQLite 3.53).
 */
const readLayoutAnew = (database: CatalogDatabase): void => {
  try {
    database.statement("SELECT rowid FROM lexical LIMIT 1").get()
  } catch (cause) {
    // the check that follows names the damage
    if (!isDamage(cause)) throw cause
  }
}

/**
 * Faults of the file itself, as SQLite finds them; FTS5's own tables are part of it. Call inside a read transaction.
 */
const fileFaults = (database: CatalogDatabase): ReadonlyArray<string> => {
  readLayoutAnew(database)
  return [
    ...database
      .statement("PRAGMA integrity_check(20)")
      .all()
      .map((row) => textOf(row, "integrity_check"))
      .filter((line) => line !== "ok"),
    ...database
      .statement("PRAGMA foreign_key_check")
      .all()
      .map(
        (row) => `a row of ${textOf(row, "table")} belongs to a row of ${textOf(row, "parent")} that is gone`
      )
  ]
}

/** Compares the lexical index with the terms it was made from; SQLite does this on a writable database only. */
const lexicalFaults = (database: Transaction): ReadonlyArray<string> => {
  try {
    database.statement("INSERT INTO lexical (lexical, rank) VALUES ('integrity-check', 1)").run()
    return []
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    return ["the lexical index does not agree with the terms of the chunks"]
  }
}

const rowFaults = (database: CatalogDatabase): ReadonlyArray<string> =>
  [
    [
      "chunk(s) without a row in the lexical index",
      "SELECT count(*) AS n FROM chunks WHERE key NOT IN (SELECT key FROM chunk_terms)"
    ],
    [
      "document(s) without a text",
      "SELECT count(*) AS n FROM documents WHERE key NOT IN (SELECT document FROM document_parts)"
    ],
    [
      "document(s) with another number of chunks than recorded",
      `SELECT count(*) AS n FROM documents d
       WHERE d.chunks <> (SELECT count(*) FROM chunks c WHERE c.document = d.key)`
    ],
    [
      "embedder(s) with vectors of different lengths",
      `SELECT count(*) AS n FROM (SELECT fingerprint FROM vectors GROUP BY fingerprint
       HAVING min(length(vector)) <> max(length(vector)) OR min(length(vector)) % 4 <> 0)`
    ]
  ].flatMap(([what = "", sql = ""]) => {
    const count = numberOf(database.statement(sql).get() ?? {}, "n")
    return count === 0 ? [] : [`${count} ${what}`]
  })

/** Checks the file, the index in it and every value. */
export const check = (
  database: CatalogDatabase,
  writer: CatalogWriter,
  analysis: ChunkAnalysis
): Catalog["check"] =>
  Effect.gen(function* () {
    const faults = yield* database.attempt("check", () => database.read(() => fileFaults(database)))
    // rows of a damaged file cannot be read safely
    if (faults.length > 0) return faults
    return [
      ...(writer.readOnly ? [] : yield* writer.write("check", lexicalFaults)),
      ...(yield* database.attempt("check", () => rowFaults(database))),
      ...(yield* contentFaults(database, analysis))
    ]
  })
