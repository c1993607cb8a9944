import type { Outbox } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter, Transaction } from "./CatalogWriter.ts"
import { fieldColumns, fieldsOf } from "./chunkRows.ts"
import { bytesOf, numberOf, textOf } from "./columns.ts"
import { fingerprintKey, roleCode } from "./vectorCache.ts"
import { vectorOfBytes } from "./vectorBytes.ts"

/** Puts a chunk into the outbox inside the open transaction; its earlier row, if any, is replaced by the new one. */
export const enqueueChunk = (database: Transaction, chunkId: string): void => {
  database.statement("INSERT OR REPLACE INTO outbox (chunk_id) VALUES (?)").run(chunkId)
}

/** What the vector store still has to see. Whether a row means a write or a removal follows from the chunks. */
export const outbox = (database: CatalogDatabase, writer: CatalogWriter): Outbox => ({
  pending: (fingerprint, limit) =>
    database.attempt("outbox.pending", () =>
      database.read(() =>
        database
          .statement(
            `SELECT o.sequence, o.chunk_id, v.vector, c.intent, c.page, c.confidence,
               d.id AS document_id, ${fieldColumns}
             FROM outbox o
             LEFT JOIN chunks c ON c.id = o.chunk_id
             LEFT JOIN documents d ON d.key = c.document
             LEFT JOIN vectors v ON v.text_hash = c.text_hash AND v.fingerprint = ? AND v.role = ?
             WHERE c.key IS NULL OR v.key IS NOT NULL
             ORDER BY o.sequence LIMIT ?`
          )
          // no vector has the key -1 of an unknown fingerprint
          .all(fingerprintKey(database, fingerprint) ?? -1, roleCode("document"), Math.max(0, limit))
          .map((row) => {
            const sequence = numberOf(row, "sequence")
            const chunkId = textOf(row, "chunk_id")
            return row["vector"] === null
              ? ({ _tag: "Remove", sequence, chunkId } as const)
              : ({
                  _tag: "Upsert",
                  sequence,
                  chunkId,
                  fields: fieldsOf(row),
                  vector: vectorOfBytes(bytesOf(row, "vector"))
                } as const)
          })
      )
    ),

  count: database.attempt("outbox.count", () =>
    numberOf(database.statement("SELECT count(*) AS n FROM outbox").get() ?? {}, "n")
  ),

  confirm: (sequences) =>
    sequences.length === 0
      ? Effect.void
      : writer.write("outbox.confirm", (transaction) => {
          transaction
            .statement("DELETE FROM outbox WHERE sequence IN (SELECT value FROM json_each(?))")
            .run(JSON.stringify(sequences))
        }),

  enqueueAll: writer.write("outbox.enqueueAll", (transaction) =>
    Number(
      transaction
        .statement("INSERT OR REPLACE INTO outbox (chunk_id) SELECT id FROM chunks ORDER BY key")
        .run().changes
    )
  ),

  enqueue: (chunkIds) =>
    chunkIds.length === 0
      ? Effect.void
      : writer.write("outbox.enqueue", (transaction) => {
          for (const id of chunkIds) enqueueChunk(transaction, id)
        })
})
