import type { Chunk, ChunkTerms } from "@omnirag/core/plugin"
import type { Transaction } from "./CatalogWriter.ts"
import { type CheckedValue, checksumOf } from "./checksum.ts"
import { type Row, numberOf, numberOrNull, textOf, textOrNull } from "./columns.ts"
import { encodeTerms } from "./termEncoding.ts"
import { bytesOfHash } from "./vectorBytes.ts"

/** The columns that may change while id and text stay, in the order of `locationOf`. */
const locationColumns = `position, page, intent, confidence, body_offset, start_offset, end_offset, start_line,
  end_line, heading_path`

const locationOf = (chunk: Chunk): ReadonlyArray<CheckedValue> => [
  chunk.index,
  chunk.page,
  chunk.intent,
  chunk.confidence,
  chunk.bodyOffset,
  chunk.start,
  chunk.end,
  chunk.startLine,
  chunk.endLine,
  JSON.stringify(chunk.headingPath)
]

/** Covers everything of a chunk but its text, which has a hash. */
export const chunkChecksum = (chunk: Chunk): number => checksumOf([chunk.id, ...locationOf(chunk)])

/** The chunks of a document as they are stored, without their texts. */
export const storedChunks = (database: Transaction, document: number): ReadonlyArray<Row> =>
  database
    .statement(`SELECT key, id, text_hash, ${locationColumns} FROM chunks WHERE document = ?`)
    .all(document)

/** What differs between a stored chunk and the new one with the same id and text. */
export const differences = (row: Row, chunk: Chunk) => {
  const fields =
    numberOrNull(row, "page") !== chunk.page ||
    textOrNull(row, "intent") !== chunk.intent ||
    numberOf(row, "confidence") !== chunk.confidence
  const terms =
    textOf(row, "heading_path") !== JSON.stringify(chunk.headingPath) ||
    numberOf(row, "body_offset") !== chunk.bodyOffset ||
    numberOf(row, "end_offset") - numberOf(row, "start_offset") !== chunk.end - chunk.start
  const location =
    fields ||
    terms ||
    numberOf(row, "position") !== chunk.index ||
    numberOf(row, "start_offset") !== chunk.start ||
    numberOf(row, "start_line") !== chunk.startLine ||
    numberOf(row, "end_line") !== chunk.endLine
  return { fields, terms, location }
}

/** Adds a chunk with its terms; the lexical index follows by a trigger. */
export const insertChunk = (
  database: Transaction,
  document: number,
  chunk: Chunk,
  hash: string,
  terms: ChunkTerms
): void => {
  const { lastInsertRowid } = database
    .statement(
      `INSERT INTO chunks (document, id, text_hash, text, checksum, ${locationColumns})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
    )
    .run(document, chunk.id, bytesOfHash(hash), chunk.text, chunkChecksum(chunk), ...locationOf(chunk))
  database
    .statement("INSERT INTO chunk_terms (key, heading, body) VALUES (?, ?, ?)")
    .run(lastInsertRowid, encodeTerms(terms.heading), encodeTerms(terms.body))
}

/** Moves a chunk whose text is the same: neither its text nor its row in the lexical index is touched. */
export const updateChunk = (database: Transaction, key: number, chunk: Chunk): void => {
  database
    .statement(
      `UPDATE chunks SET (checksum, ${locationColumns}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ?`
    )
    .run(chunkChecksum(chunk), ...locationOf(chunk), key)
}

/** Gives a chunk other terms; the lexical index is touched only when they differ. */
export const updateTerms = (database: Transaction, key: number, terms: ChunkTerms): void => {
  database
    .statement(
      "UPDATE chunk_terms SET heading = ?2, body = ?3 WHERE key = ?1 AND (heading <> ?2 OR body <> ?3)"
    )
    .run(key, encodeTerms(terms.heading), encodeTerms(terms.body))
}

/** Removes a chunk; its terms and its row in the lexical index go with it by foreign key and trigger. */
export const removeChunk = (database: Transaction, key: number): void => {
  database.statement("DELETE FROM chunks WHERE key = ?").run(key)
}
