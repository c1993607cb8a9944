import type { Transaction } from "./CatalogWriter.ts"
import { checksumOf } from "./checksum.ts"
import { textOf } from "./columns.ts"

/** A small value kept with the index; undefined when there is none. */
export const readMeta = (database: Transaction, key: string): string | undefined => {
  const row = database.statement("SELECT value FROM meta WHERE key = ?").get(key)
  return row === undefined ? undefined : textOf(row, "value")
}

/** Keeps a small value with the index, in the open transaction or one of its own. */
export const writeMeta = (database: Transaction, key: string, value: string): void => {
  database
    .statement(
      `INSERT INTO meta (key, value, checksum) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET (value, checksum) = (excluded.value, excluded.checksum)`
    )
    .run(key, value, checksumOf([key, value]))
}
