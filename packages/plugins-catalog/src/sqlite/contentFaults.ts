import { bodyOf, type Chunk, type ChunkAnalysis, type MetadataValue, textHash } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { chunkColumns, chunkOf } from "./chunkRows.ts"
import { chunkChecksum } from "./chunkWrites.ts"
import { type CheckedValue, checksumOf, checksumOfBytes } from "./checksum.ts"
import { bytesOf, checkedOf, numberOf, type Row, textOf } from "./columns.ts"
import { documentColumns, metadataRows } from "./documentRow.ts"
import { encodeTerms } from "./termEncoding.ts"
import { termsAreCurrent } from "./termsVersion.ts"
import { hashOfBytes } from "./vectorBytes.ts"

/** Vectors verified before other fibers get a turn. */
const batch = 500

const wellFormed = (value: CheckedValue): CheckedValue =>
  typeof value === "string" ? value.toWellFormed() : value

const metadataFault = (database: CatalogDatabase, row: Row): boolean => {
  // the row has the checksum it was written with, so this is what JSON.stringify made of the same type
  const metadata: Readonly<Record<string, MetadataValue>> = JSON.parse(textOf(row, "metadata"))
  const expected = Object.entries(metadata).flatMap(([key, value]) =>
    metadataRows(value).map(([kind, item]) => JSON.stringify([key, kind, item].map(wellFormed)))
  )
  const found = database
    .statement("SELECT key, kind, value FROM metadata_values WHERE document = ?")
    .all(numberOf(row, "key"))
    .map((value) => JSON.stringify([value["key"], value["kind"], checkedOf(value, "value")]))
  return JSON.stringify(expected.toSorted()) !== JSON.stringify(found.toSorted())
}

/** The text of a document from its parts; undefined when it is not what was written. */
const soundText = (
  database: CatalogDatabase,
  document: number,
  length: number | undefined
): string | undefined => {
  const parts = database
    .statement("SELECT text, checksum FROM document_parts WHERE document = ? ORDER BY part")
    .all(document)
  if (parts.some((part) => checksumOf([textOf(part, "text")]) !== numberOf(part, "checksum")))
    return undefined
  const text = parts.map((part) => textOf(part, "text")).join("")
  return length === undefined || text.length === length ? text : undefined
}

const isBody = (chunk: Chunk, text: string): boolean =>
  bodyOf(chunk).toWellFormed() === text.slice(chunk.start, chunk.end).toWellFormed()

/**
 * What is wrong with a chunk, given the title and the text of its document where they are sound, and the analysis when
 * its terms are to be those of it.
 */
const chunkFault = (
  row: Row,
  title: string | undefined,
  text: string | undefined,
  analysis: ChunkAnalysis | undefined
): string | undefined => {
  const id = textOf(row, "chunk_id")
  if (textHash(textOf(row, "text")) !== hashOfBytes(bytesOf(row, "text_hash")))
    return `the text of the chunk ${id} is not what was written`
  const chunk = chunkOf(row)
  if (chunkChecksum(chunk) !== numberOf(row, "checksum")) return `the chunk ${id} is not what was written`
  if (text !== undefined && !isBody(chunk, text))
    return `the chunk ${id} is not the part of its document that it stands for`
  // a chunk without terms is counted elsewhere
  if (row["heading"] === null || title === undefined || analysis === undefined) return undefined
  const terms = analysis.termsOf(title, chunk)
  return encodeTerms(terms.heading) === textOf(row, "heading") &&
    encodeTerms(terms.body) === textOf(row, "body")
    ? undefined
    : `the terms of the chunk ${id} are not those of its text`
}

const documentFaults = (database: CatalogDatabase, row: Row, analysis: ChunkAnalysis | undefined) => {
  const faults: Array<string> = []
  const [id, key] = [textOf(row, "id"), numberOf(row, "key")]
  const sound =
    checksumOf(documentColumns.map((column) => checkedOf(row, column))) === numberOf(row, "checksum")
  if (!sound) faults.push(`the record of the document ${id} is not what was written`)
  else if (metadataFault(database, row))
    faults.push(`the metadata that filters see of the document ${id} are not those it has`)
  const text = soundText(database, key, sound ? numberOf(row, "length") : undefined)
  if (text === undefined) faults.push(`the text of the document ${id} is not what was written`)
  const chunks = database
    .statement(
      `SELECT ${chunkColumns}, c.text_hash, c.checksum, t.heading, t.body
       FROM documents d CROSS JOIN chunks c ON c.document = d.key LEFT JOIN chunk_terms t ON t.key = c.key
       WHERE d.key = ? ORDER BY c.position`
    )
    .all(key)
  for (const chunk of chunks) {
    const fault = chunkFault(chunk, sound ? textOf(row, "title") : undefined, text, analysis)
    if (fault !== undefined) faults.push(fault)
  }
  return faults
}

/** Goes through the rows of a table by key, `limit` at a time, other fibers having a turn in between. */
const scan = Effect.fnUntraced(function* (
  database: CatalogDatabase,
  table: "documents" | "vectors",
  limit: number,
  faultsOf: (row: Row) => ReadonlyArray<string>
) {
  const faults: Array<string> = []
  let after = 0
  for (;;) {
    const last = yield* database.attempt("check", () =>
      database.read(() => {
        const rows = database
          .statement(`SELECT * FROM ${table} WHERE key > ? ORDER BY key LIMIT ${limit}`)
          .all(after)
        faults.push(...rows.flatMap(faultsOf))
        return rows.at(-1)
      })
    )
    if (last === undefined) return faults
    after = numberOf(last, "key")
    yield* Effect.yieldNow
  }
})

const smallFaults = (database: CatalogDatabase): ReadonlyArray<string> => [
  ...database
    .statement("SELECT key, value, checksum FROM meta")
    .all()
    .filter((row) => checksumOf([textOf(row, "key"), textOf(row, "value")]) !== numberOf(row, "checksum"))
    .map((row) => `the value ${textOf(row, "key")} is not what was written`),
  ...database
    .statement("SELECT id, run, checksum FROM runs")
    .all()
    .filter((row) => checksumOf([textOf(row, "run")]) !== numberOf(row, "checksum"))
    .map((row) => `the record of the run ${textOf(row, "id")} is not what was written`)
]

/**
 * Verifies every stored value against its checksum, its hash or what it was derived from: SQLite has no checksums, so a
 * flipped bit in a value, or a lost page of a long one, passes its own check.
 */
export const contentFaults = Effect.fn("Catalog.checkContent")(function* (
  database: CatalogDatabase,
  analysis: ChunkAnalysis
) {
  const termsCurrent = yield* database.attempt("check", () => termsAreCurrent(database, analysis))
  const current = termsCurrent ? analysis : undefined
  return [
    ...(yield* database.attempt("check", () => smallFaults(database))),
    ...(yield* scan(database, "documents", 1, (row) => documentFaults(database, row, current))),
    ...(yield* scan(database, "vectors", batch, (row) =>
      checksumOfBytes(bytesOf(row, "vector")) === numberOf(row, "checksum")
        ? []
        : [`the vector of the text ${hashOfBytes(bytesOf(row, "text_hash"))} is not what was written`]
    ))
  ]
})
