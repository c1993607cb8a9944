import {
  type ChunkAnalysis,
  type DocumentCatalog,
  type DocumentEntry,
  type ReplaceResult,
  textHash
} from "@omnirag/core/plugin"
import { Clock, Effect } from "effect"
import type { CatalogWriter, Transaction } from "./CatalogWriter.ts"
import {
  differences,
  insertChunk,
  removeChunk,
  storedChunks,
  updateChunk,
  updateTerms
} from "./chunkWrites.ts"
import { bytesOf, numberOf, textOf } from "./columns.ts"
import { writeDocument, writeFileState, writeRevision } from "./documentRow.ts"
import { enqueueChunk } from "./outbox.ts"
import { claimEmptyIndex } from "./termsVersion.ts"
import { hashOfBytes } from "./vectorBytes.ts"
import { insertVectors } from "./vectorCache.ts"

/** Chunks written before other fibers get a turn: a few milliseconds. */
const slice = 32

const replace = function* (
  transaction: Transaction,
  entry: DocumentEntry,
  analysis: ChunkAnalysis,
  indexedAt: number
): Generator<void, ReplaceResult> {
  const { title } = entry.document
  claimEmptyIndex(transaction, analysis)
  const document = writeDocument(transaction, entry, indexedAt)
  const gone = new Map(storedChunks(transaction, document.key).map((row) => [textOf(row, "id"), row]))
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
      if (changed.location) updateChunk(transaction, key, chunk)
      if (changed.terms || document.titleChanged)
        updateTerms(transaction, key, analysis.termsOf(title, chunk))
      if (changed.fields || document.fieldsChanged) enqueueChunk(transaction, chunk.id)
    } else {
      if (row !== undefined) {
        gone.delete(chunk.id)
        removeChunk(transaction, numberOf(row, "key"))
        removed++
      }
      insertChunk(transaction, document.key, chunk, hash, analysis.termsOf(title, chunk))
      enqueueChunk(transaction, chunk.id)
      added++
    }
    if (given.size % slice === 0) yield
  }
  for (const [id, row] of gone) {
    removeChunk(transaction, numberOf(row, "key"))
    enqueueChunk(transaction, id)
    removed++
    if (removed % slice === 0) yield
  }
  insertVectors(transaction, entry.fingerprint, "document", entry.vectors)
  return { added, unchanged: entry.chunks.length - added, removed }
}

const remove = function* (transaction: Transaction, ids: ReadonlyArray<string>): Generator<void, number> {
  const enqueue = transaction.statement(
    `INSERT OR REPLACE INTO outbox (chunk_id)
     SELECT c.id FROM documents d CROSS JOIN chunks c ON c.document = d.key WHERE d.id = ? ORDER BY c.position`
  )
  const removeChunks = transaction.statement(
    `DELETE FROM chunks WHERE key IN
       (SELECT c.key FROM documents d CROSS JOIN chunks c ON c.document = d.key WHERE d.id = ? LIMIT ${slice})`
  )
  const removeDocument = transaction.statement("DELETE FROM documents WHERE id = ?")
  let removed = 0
  for (const id of new Set(ids)) {
    enqueue.run(id)
    while (Number(removeChunks.run(id).changes) === slice) yield
    removed += Number(removeDocument.run(id).changes)
  }
  return removed
}

/** Writing documents with everything that belongs to them. */
export const documentWrites = (
  writer: CatalogWriter,
  analysis: ChunkAnalysis
): Pick<DocumentCatalog, "replace" | "touchFile" | "setRevision" | "remove"> => ({
  replace: (entry) =>
    Effect.flatMap(Clock.currentTimeMillis, (indexedAt) =>
      writer.writeInSlices("documents.replace", (transaction) =>
        replace(transaction, entry, analysis, indexedAt)
      )
    ),

  touchFile: (documentId, file) =>
    writer.write("documents.touchFile", (transaction) => {
      writeFileState(transaction, documentId, file)
    }),

  setRevision: (documentIds, revision) =>
    writer.writeInSlices("documents.setRevision", function* (transaction) {
      for (const [index, id] of documentIds.entries()) {
        writeRevision(transaction, id, revision)
        if (index % slice === slice - 1) yield
      }
    }),

  remove: (ids) => writer.writeInSlices("documents.remove", (transaction) => remove(transaction, ids))
})
