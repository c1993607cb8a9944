import type { CachedVector, EmbeddingRole, VectorCache } from "@omnirag/core/plugin"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter, Transaction } from "./CatalogWriter.ts"
import { Effect } from "effect"
import { batches } from "./batches.ts"
import { checksumOfBytes } from "./checksum.ts"
import { bytesOf, numberOf } from "./columns.ts"
import { bytesOfHash, bytesOfVector, hashOfBytes, vectorOfBytes } from "./vectorBytes.ts"

/** Vectors of questions that `prune` keeps, the newest. */
const keptQueries = 10_000

/** Embedders whose vectors `prune` keeps, by last use: going back to the one before costs nothing. */
const keptFingerprints = 3

export const roleCode = (role: EmbeddingRole): number => (role === "document" ? 0 : 1)

/** The number of a fingerprint, given when it is first written with; undefined when no vector has it. */
export const fingerprintKey = (database: Transaction, fingerprint: string): number | undefined => {
  const row = database.statement("SELECT key FROM fingerprints WHERE fingerprint = ?").get(fingerprint)
  return row === undefined ? undefined : numberOf(row, "key")
}

/** Writes vectors inside the transaction that is open; one that is there already is left as it is. */
export const insertVectors = (
  database: Transaction,
  fingerprint: string,
  role: EmbeddingRole,
  vectors: ReadonlyArray<CachedVector>
): void => {
  if (vectors.length === 0) return
  database
    .statement(
      `INSERT INTO fingerprints (fingerprint, last_use)
       SELECT ?1, 1 + coalesce(max(last_use), 0) FROM fingerprints WHERE true
       ON CONFLICT (fingerprint) DO UPDATE SET last_use = excluded.last_use
       WHERE last_use < excluded.last_use - 1`
    )
    .run(fingerprint)
  const key = fingerprintKey(database, fingerprint)
  if (key === undefined) throw new Error("the fingerprint was not written")
  const insert = database.statement(
    `INSERT INTO vectors (fingerprint, role, text_hash, checksum, vector) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (text_hash, fingerprint, role) DO NOTHING`
  )
  for (const { textHash, vector } of vectors) {
    const bytes = bytesOfVector(vector)
    insert.run(key, roleCode(role), bytesOfHash(textHash), checksumOfBytes(bytes), bytes)
  }
}

/** Vectors by the hash of their text: unchanged text is never embedded twice. */
export const vectorCache = (database: CatalogDatabase, writer: CatalogWriter): VectorCache => ({
  get: (fingerprint, role, textHashes) =>
    database.attempt("cache.get", () =>
      database.read(() => {
        const found = new Map<string, Float32Array>()
        const key = fingerprintKey(database, fingerprint)
        if (key === undefined) return found
        const select = database.statement(
          `SELECT v.text_hash, v.vector FROM json_each(?) j
           CROSS JOIN vectors v ON v.text_hash = unhex(j.value) AND v.fingerprint = ? AND v.role = ?`
        )
        for (const some of batches(textHashes))
          for (const row of select.all(JSON.stringify(some), key, roleCode(role)))
            found.set(hashOfBytes(bytesOf(row, "text_hash")), vectorOfBytes(bytesOf(row, "vector")))
        return found
      })
    ),

  put: (fingerprint, role, vectors) =>
    vectors.length === 0
      ? Effect.void
      : writer.write("cache.put", (transaction) => {
          insertVectors(transaction, fingerprint, role, vectors)
        }),

  count: database.attempt("cache.count", () =>
    numberOf(database.statement("SELECT count(*) AS n FROM vectors").get() ?? {}, "n")
  ),

  prune: writer.write("cache.prune", (transaction) => {
    const deleted = [
      `DELETE FROM vectors WHERE fingerprint NOT IN
           (SELECT key FROM fingerprints ORDER BY last_use DESC LIMIT ${keptFingerprints})`,
      `DELETE FROM vectors WHERE role = 0 AND text_hash NOT IN (SELECT text_hash FROM chunks)`,
      `DELETE FROM vectors WHERE role = 1 AND key NOT IN
           (SELECT key FROM vectors WHERE role = 1 ORDER BY key DESC LIMIT ${keptQueries})`
    ].map((sql) => Number(transaction.statement(sql).run().changes))
    transaction
      .statement(
        `DELETE FROM fingerprints WHERE key NOT IN
             (SELECT key FROM fingerprints ORDER BY last_use DESC LIMIT ${keptFingerprints})`
      )
      .run()
    return deleted.reduce((sum, count) => sum + count, 0)
  })
})
