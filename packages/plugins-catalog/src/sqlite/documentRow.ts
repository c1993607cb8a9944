import type { Document, DocumentEntry, FileState, Metadata, MetadataValue } from "@omnirag/core"
import type { SQLInputValue } from "node:sqlite"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { numberOf, textOf, textOrNull } from "./columns.ts"
import { textParts } from "./textParts.ts"

/** What writing a document has changed for its chunks. */
export interface WrittenDocument {
  readonly key: number
  /** The title is part of the lexical index of every chunk. */
  readonly titleChanged: boolean
  /** The vector store keeps these fields beside every vector. */
  readonly fieldsChanged: boolean
}

type MetadataRow = readonly [kind: "s" | "n" | "b" | "l", value: SQLInputValue]

const metadataRows = (value: MetadataValue): ReadonlyArray<MetadataRow> => {
  switch (typeof value) {
    case "string":
      return [["s", value]]
    case "number":
      return [["n", value]]
    case "boolean":
      return [["b", Number(value)]]
    default:
      // the mark of the list makes an empty one exist
      return [["l", null], ...[...new Set(value)].map((item): MetadataRow => ["s", item])]
  }
}

const writeMetadata = (database: CatalogDatabase, key: number, metadata: Metadata): void => {
  database.statement("DELETE FROM metadata_values WHERE document = ?").run(key)
  const insert = database.statement(
    "INSERT INTO metadata_values (document, key, kind, value) VALUES (?, ?, ?, ?)"
  )
  for (const [name, value] of Object.entries(metadata))
    for (const [kind, item] of metadataRows(value)) insert.run(key, name, kind, item)
}

const previousOf = (database: CatalogDatabase, document: Document, metadata: string) => {
  const row = database
    .statement("SELECT title, source, path, bundle, media_type, metadata FROM documents WHERE id = ?")
    .get(document.id)
  if (row === undefined) return undefined
  const metadataChanged = textOf(row, "metadata") !== metadata
  return {
    titleChanged: textOf(row, "title") !== document.title,
    metadataChanged,
    fieldsChanged:
      metadataChanged ||
      textOf(row, "source") !== document.source ||
      textOf(row, "path") !== document.path ||
      textOrNull(row, "bundle") !== document.bundle ||
      textOf(row, "media_type") !== document.mediaType
  }
}

/** Writes the text of a document in its parts; a part that is as it was is not touched. */
const writeText = (database: CatalogDatabase, key: number, text: string): void => {
  const write = database.statement(
    `INSERT INTO document_parts (document, part, text) VALUES (?, ?, ?)
     ON CONFLICT (document, part) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`
  )
  let parts = 0
  for (const part of textParts(text)) write.run(key, parts++, part)
  database.statement("DELETE FROM document_parts WHERE document = ? AND part >= ?").run(key, parts)
}

/** Writes the rows of a document inside the open transaction, its chunks aside. */
export const writeDocument = (
  database: CatalogDatabase,
  entry: DocumentEntry,
  indexedAt: number
): WrittenDocument => {
  const { document, file } = entry
  const metadata = JSON.stringify(document.metadata)
  const previous = previousOf(database, document, metadata)
  const row = database
    .statement(
      `INSERT INTO documents (id, source, path, bundle, media_type, title, content_hash, metadata, revision, length,
         chunks, indexed_at, file_path, file_size, file_modified_at, file_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET (source, path, bundle, media_type, title, content_hash, metadata, revision,
         length, chunks, indexed_at, file_path, file_size, file_modified_at, file_hash) =
         (excluded.source, excluded.path, excluded.bundle, excluded.media_type, excluded.title,
         excluded.content_hash, excluded.metadata, excluded.revision, excluded.length, excluded.chunks,
         excluded.indexed_at, excluded.file_path, excluded.file_size, excluded.file_modified_at, excluded.file_hash)
       RETURNING key`
    )
    .get(
      document.id,
      document.source,
      document.path,
      document.bundle,
      document.mediaType,
      document.title,
      document.contentHash,
      metadata,
      entry.revision,
      document.text.length,
      entry.chunks.length,
      indexedAt,
      file.path,
      file.size,
      file.modifiedAt,
      file.contentHash
    )
  const key = numberOf(row ?? {}, "key")
  writeText(database, key, document.text)
  if (previous?.metadataChanged ?? true) writeMetadata(database, key, document.metadata)
  return {
    key,
    titleChanged: previous?.titleChanged ?? false,
    fieldsChanged: previous?.fieldsChanged ?? false
  }
}

/** Records new times of a file; throws when there is no such document. */
export const writeFileState = (database: CatalogDatabase, documentId: string, file: FileState): void => {
  const { changes } = database
    .statement(
      `UPDATE documents SET file_path = ?, file_size = ?, file_modified_at = ?, file_hash = ? WHERE id = ?`
    )
    .run(file.path, file.size, file.modifiedAt, file.contentHash, documentId)
  if (changes !== 1) throw new Error(`there is no document "${documentId}"`)
}
