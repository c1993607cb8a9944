import { type Catalog, type DocumentEntry, type ReplaceResult, textHash } from "@omnirag/core"
import { Clock, Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import {
  differences,
  insertChunk,
  removeChunk,
  storedChunks,
  updateChunk,
  updateTerms
} from "./chunkWrites.ts"
import { bytesOf, numberOf, textOf } from "./columns.ts"
import { writeDocument, writeFileState } from "./documentRow.ts"
import { enqueueChunk } from "./outbox.ts"
import { type ChunkTerms, chunkTerms } from "./termEncoding.ts"
import { hashOfBytes } from "./vectorBytes.ts"
import { insertVectors } from "./vectorCache.ts"

/** Chunks analysed before other fibers get a turn. */
const slice = 32

/** The terms of the chunks that are new, worked out before the transaction so that a long document stalls nobody. */
const termsOfNewChunks = Effect.fn("Catalog.analyze")(function* (
  database: CatalogDatabase,
  { document, chunks }: DocumentEntry
) {
  const known = yield* database.attempt(
    "replaceDocument",
    () =>
      new Set(
        database
          .statement("SELECT c.id FROM documents d CROSS JOIN chunks c ON c.document = d.key WHERE d.id = ?")
          .all(document.id)
          .map((row) => textOf(row, "id"))
      )
  )
  const terms = new Map<string, ChunkTerms>()
  for (const [index, chunk] of chunks.entries()) {
    if (!known.has(chunk.id)) terms.set(chunk.id, chunkTerms(document.title, chunk))
    if (index % slice === slice - 1) yield* Effect.yieldNow
  }
  return terms
})

const replace = (
  database: CatalogDatabase,
  entry: DocumentEntry,
  prepared: ReadonlyMap<string, ChunkTerms>,
  indexedAt: number
): ReplaceResult => {
  const { title } = entry.document
  const document = writeDocument(database, entry, indexedAt)
  const gone = new Map(storedChunks(database, document.key).map((row) => [textOf(row, "id"), row]))
  const given = new Set<string>()
  let added = 0
  let removed = 0
  for (const chunk of entry.chunks) {
    if (given.has(chunk.id)) throw new Error(`two chunks of "${entry.document.id}" have the id ${chunk.id}`)
    given.add(chunk.id)
    const hash = textHash(chunk.text)
    const row = gone.get(chunk.id)
    const sameText = row !== undefined && hashOfBytes(bytesOf(row, "text_hash")) === hash
    if (sameText) {
      gone.delete(chunk.id)
      const key = numberOf(row, "key")
      const changed = differences(row, chunk)
      if (changed.location) updateChunk(database, key, chunk)
      if (changed.terms || document.titleChanged) updateTerms(database, key, chunkTerms(title, chunk))
      if (changed.fields || document.fieldsChanged) enqueueChunk(database, chunk.id)
    } else {
      if (row !== undefined) {
        gone.delete(chunk.id)
        removeChunk(database, numberOf(row, "key"))
        removed++
      }
      insertChunk(database, document.key, chunk, hash, prepared.get(chunk.id) ?? chunkTerms(title, chunk))
      enqueueChunk(database, chunk.id)
      added++
    }
  }
  for (const [id, row] of gone) {
    removeChunk(database, numberOf(row, "key"))
    enqueueChunk(database, id)
    removed++
  }
  insertVectors(database, entry.fingerprint, "document", entry.vectors)
  return { added, unchanged: entry.chunks.length - added, removed }
}

/** Writing documents with everything that belongs to them. */
export const documentWrites = (
  database: CatalogDatabase
): Pick<Catalog, "replaceDocument" | "touchFile" | "deleteDocuments"> => ({
  replaceDocument: Effect.fn("Catalog.replaceDocument")(function* (entry) {
    const indexedAt = yield* Clock.currentTimeMillis
    const terms = yield* termsOfNewChunks(database, entry)
    return yield* database.attempt("replaceDocument", () =>
      database.write(() => replace(database, entry, terms, indexedAt))
    )
  }),

  touchFile: (documentId, file) =>
    database.attempt("touchFile", () => {
      database.write(() => {
        writeFileState(database, documentId, file)
      })
    }),

  deleteDocuments: (ids) =>
    database.attempt("deleteDocuments", () =>
      database.write(() => {
        const enqueue = database.statement(
          `INSERT OR REPLACE INTO outbox (chunk_id)
           SELECT c.id FROM documents d CROSS JOIN chunks c ON c.document = d.key WHERE d.id = ? ORDER BY c.position`
        )
        const remove = database.statement("DELETE FROM documents WHERE id = ?")
        let removed = 0
        for (const id of new Set(ids)) {
          enqueue.run(id)
          removed += Number(remove.run(id).changes)
        }
        return removed
      })
    )
})
