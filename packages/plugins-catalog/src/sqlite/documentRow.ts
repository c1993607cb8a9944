import type { Document, DocumentEntry, FileState, Metadata, MetadataValue } from "@omnirag/core/plugin"
import type { Transaction } from "./CatalogWriter.ts"
import { type CheckedValue, checksumOf } from "./checksum.ts"
import { checkedOf, numberOf, textOf, textOrNull } from "./columns.ts"
import { textParts } from "./textParts.ts"

/** What writing a document has changed for its chunks. */
export interface WrittenDocument {
  readonly key: number
  /** The title is part of the lexical index of every chunk. */
  readonly titleChanged: boolean
  /** The vector store keeps these fields beside every vector. */
  readonly fieldsChanged: boolean
}

type MetadataRow = readonly [kind: "s" | "n" | "b" | "l", value: CheckedValue]

/** The rows that stand for a value in `metadata_values`. */
export const metadataRows = (value: MetadataValue): ReadonlyArray<MetadataRow> => {
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

const writeMetadata = (database: Transaction, key: number, metadata: Metadata): void => {
  database.statement("DELETE FROM metadata_values WHERE document = ?").run(key)
  const insert = database.statement(
    "INSERT INTO metadata_values (document, key, kind, value) VALUES (?, ?, ?, ?)"
  )
  for (const [name, value] of Object.entries(metadata))
    for (const [kind, item] of metadataRows(value)) insert.run(key, name, kind, item)
}

const previousOf = (database: Transaction, document: Document, metadata: string) => {
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
const writeText = (database: Transaction, key: number, text: string): void => {
  const write = database.statement(
    `INSERT INTO document_parts (document, part, text, checksum) VALUES (?, ?, ?, ?)
     ON CONFLICT (document, part) DO UPDATE SET (text, checksum) = (excluded.text, excluded.checksum)
     WHERE text <> excluded.text`
  )
  let parts = 0
  for (const part of textParts(text)) write.run(key, parts++, part, checksumOf([part]))
  database.statement("DELETE FROM document_parts WHERE document = ? AND part >= ?").run(key, parts)
}

/** The columns of a document that its checksum covers, those of its file last. */
export const documentColumns = [
  "id",
  "source",
  "path",
  "bundle",
  "media_type",
  "title",
  "content_hash",
  "metadata",
  "revision",
  "length",
  "chunks",
  "indexed_at",
  "file_path",
  "file_size",
  "file_modified_at",
  "file_hash"
]
const writtenColumns = [...documentColumns, "checksum"]

const fileColumns = ({ contentHash, modifiedAt, path, size }: FileState): ReadonlyArray<CheckedValue> => [
  path,
  size,
  modifiedAt,
  contentHash
]

const upsertDocument = `INSERT INTO documents (${writtenColumns.join(", ")})
  VALUES (${writtenColumns.map(() => "?").join(", ")})
  ON CONFLICT (id) DO UPDATE SET (${writtenColumns.join(", ")}) =
    (${writtenColumns.map((column) => `excluded.${column}`).join(", ")})
  RETURNING key`

/** Writes the rows of a document inside the open transaction, its chunks aside. */
export const writeDocument = (
  database: Transaction,
  entry: DocumentEntry,
  indexedAt: number
): WrittenDocument => {
  const { document } = entry
  const metadata = JSON.stringify(document.metadata)
  const previous = previousOf(database, document, metadata)
  const values = [
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
    ...fileColumns(entry.file)
  ]
  const row = database.statement(upsertDocument).get(...values, checksumOf(values))
  const key = numberOf(row ?? {}, "key")
  writeText(database, key, document.text)
  if (previous?.metadataChanged ?? true) writeMetadata(database, key, document.metadata)
  return {
    key,
    titleChanged: previous?.titleChanged ?? false,
    fieldsChanged: previous?.fieldsChanged ?? false
  }
}

const revisionColumn = documentColumns.indexOf("revision")

/** Records another revision of a document that is the same there, inside the open transaction. */
export const writeRevision = (database: Transaction, documentId: string, revision: string): void => {
  const row = database
    .statement("SELECT * FROM documents WHERE id = ? AND revision IS NOT ?")
    .get(documentId, revision)
  if (row === undefined) return
  const values = documentColumns.map((column, index) =>
    index === revisionColumn ? revision : checkedOf(row, column)
  )
  database
    .statement("UPDATE documents SET (revision, checksum) = (?, ?) WHERE id = ?")
    .run(revision, checksumOf(values), documentId)
}

/** Records new times of a file inside the open transaction; throws when there is no such document. */
export const writeFileState = (database: Transaction, documentId: string, file: FileState): void => {
  const row = database.statement("SELECT * FROM documents WHERE id = ?").get(documentId)
  if (row === undefined) throw new Error(`there is no document "${documentId}"`)
  const state = fileColumns(file)
  const others = documentColumns.slice(0, -state.length).map((column) => checkedOf(row, column))
  database
    .statement(
      `UPDATE documents SET (file_path, file_size, file_modified_at, file_hash, checksum) = (?, ?, ?, ?, ?)
       WHERE id = ?`
    )
    .run(...state, checksumOf([...others, ...state]), documentId)
}
