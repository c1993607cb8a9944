import type { Chunk, ChunkFields, ChunkRecord, DocumentRecord, MetadataValue } from "@omnirag/core/plugin"
import { type Row, numberOf, numberOrNull, stringsOf, textOf, textOrNull } from "./columns.ts"

/** The columns that make a `Chunk`, with the id of its document. */
export const chunkColumns = `c.id AS chunk_id, d.id AS document_id, c.position, c.page, c.intent, c.confidence,
  c.body_offset, c.start_offset, c.end_offset, c.start_line, c.end_line, c.heading_path, c.text`

/** The columns of a document that its chunks are filtered by. */
export const fieldColumns = `d.source, d.bundle, d.path, d.media_type, d.metadata`

export const chunkOf = (row: Row): Chunk => ({
  id: textOf(row, "chunk_id"),
  documentId: textOf(row, "document_id"),
  index: numberOf(row, "position"),
  text: textOf(row, "text"),
  bodyOffset: numberOf(row, "body_offset"),
  start: numberOf(row, "start_offset"),
  end: numberOf(row, "end_offset"),
  startLine: numberOf(row, "start_line"),
  endLine: numberOf(row, "end_line"),
  headingPath: stringsOf(row, "heading_path"),
  page: numberOrNull(row, "page"),
  intent: textOrNull(row, "intent"),
  confidence: numberOf(row, "confidence")
})

// written by JSON.stringify of the same type, so read back as what it was
const metadataOf = (row: Row): Readonly<Record<string, MetadataValue>> => JSON.parse(textOf(row, "metadata"))

export const fieldsOf = (row: Row): ChunkFields => ({
  documentId: textOf(row, "document_id"),
  repo: textOf(row, "source"),
  bundle: textOrNull(row, "bundle"),
  path: textOf(row, "path"),
  mediaType: textOf(row, "media_type"),
  intent: textOrNull(row, "intent"),
  page: numberOrNull(row, "page"),
  confidence: numberOf(row, "confidence"),
  metadata: metadataOf(row)
})

export const chunkRecordOf = (row: Row): ChunkRecord => ({
  chunk: chunkOf(row),
  title: textOf(row, "title"),
  fields: fieldsOf(row)
})

export const documentOf = (row: Row): DocumentRecord => ({
  id: textOf(row, "id"),
  source: textOf(row, "source"),
  path: textOf(row, "path"),
  bundle: textOrNull(row, "bundle"),
  mediaType: textOf(row, "media_type"),
  title: textOf(row, "title"),
  contentHash: textOf(row, "content_hash"),
  metadata: metadataOf(row),
  revision: textOrNull(row, "revision"),
  chunks: numberOf(row, "chunks"),
  length: numberOf(row, "length"),
  indexedAt: numberOf(row, "indexed_at")
})
