import {
  type CatalogError,
  type ChunkCatalog,
  type Copies,
  type InvalidInput,
  type Place,
  textHash
} from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { bytesOf, numberOf, textOf } from "./columns.ts"
import { databaseState } from "./databaseState.ts"
import { conditionOf } from "./condition.ts"
import { bytesOfHash, hashOfBytes } from "./vectorBytes.ts"

/** Chunks looked at before other fibers get a turn. */
const slice = 500

/** Chunks remembered with their text keys. */
const remembered = 100_000

const noCopies: Copies = { total: 0, places: [] }

/** Texts that one source holds more than once: across sources each keeps its own. */
export const repeats = (
  database: CatalogDatabase
): Pick<ChunkCatalog, "textKeys" | "copiesOf" | "countRepeats"> => {
  /** The other chunks with the text of `chunk`, of the same source. */
  const copies = `
    FROM chunks own CROSS JOIN documents home ON home.key = own.document
    CROSS JOIN chunks c ON c.text_hash = own.text_hash AND c.key <> own.key
    CROSS JOIN documents d ON d.key = c.document AND d.source = home.source
    WHERE own.id = ?`

  /** True when a document that stays, other than this one, holds the text in this source; the newest are asked first. */
  const heldElsewhere = (
    source: string,
    documentId: string,
    hash: string,
    isLeaving: (documentId: string) => boolean
  ): boolean => {
    const rows = database
      .statement(
        `SELECT d.id FROM chunks c CROSS JOIN documents d ON d.key = c.document
         WHERE c.text_hash = ? AND d.source = ? AND d.id <> ? ORDER BY c.document DESC`
      )
      .iterate(bytesOfHash(hash), source, documentId)
    for (const row of rows) if (!isLeaving(textOf(row, "id"))) return true
    return false
  }

  const known = new Map<string, string>()
  let state = ""

  /** The text key of each chunk that is there. Searches ask for hundreds, the same over and over. */
  const textKeys = (chunkIds: ReadonlyArray<string>): ReadonlyMap<string, string> => {
    const now = databaseState(database)
    if (now !== state || known.size + chunkIds.length > remembered) known.clear()
    state = now
    const unknown = chunkIds.filter((id) => !known.has(id))
    if (unknown.length > 0) {
      const rows = database
        .statement(
          `SELECT c.id, c.text_hash, d.source
           FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value CROSS JOIN documents d ON d.key = c.document`
        )
        .all(JSON.stringify(unknown))
      for (const row of rows)
        known.set(textOf(row, "id"), `${hashOfBytes(bytesOf(row, "text_hash"))} ${textOf(row, "source")}`)
    }
    return new Map(
      chunkIds.flatMap((id) => {
        const key = known.get(id)
        return key === undefined ? [] : [[id, key]]
      })
    )
  }

  return {
    textKeys: (chunkIds) =>
      database.attempt("chunks.textKeys", () => database.read(() => textKeys(chunkIds))),

    copiesOf: Effect.fn("Catalog.chunks.copiesOf")(function* (
      chunkIds,
      { limit, where }
    ): Effect.fn.Return<ReadonlyMap<string, Copies>, CatalogError | InvalidInput> {
      const condition = yield* conditionOf(where, "chunks")
      const copiesOf = (chunkId: string): Copies => {
        const parameters = [chunkId, ...condition.parameters]
        const total = numberOf(
          database.filtered(`SELECT count(*) AS n ${copies} AND ${condition.sql}`).get(...parameters) ?? {},
          "n"
        )
        if (total === 0) return noCopies
        const places = database
          .filtered(
            `SELECT c.id AS chunk_id, d.id AS document_id, d.path, c.start_line, c.end_line
             ${copies} AND ${condition.sql} ORDER BY d.id, c.position LIMIT ?`
          )
          .all(...parameters, limit)
          .map((row): Place => ({
            chunkId: textOf(row, "chunk_id"),
            documentId: textOf(row, "document_id"),
            path: textOf(row, "path"),
            startLine: numberOf(row, "start_line"),
            endLine: numberOf(row, "end_line")
          }))
        return { total, places }
      }
      return yield* database.attempt("chunks.copiesOf", () =>
        database.withTests(condition.tests, () =>
          database.read(() => new Map(chunkIds.map((chunkId) => [chunkId, copiesOf(chunkId)] as const)))
        )
      )
    }),

    countRepeats: Effect.fn("Catalog.chunks.countRepeats")(function* (
      { chunks, document: { id, source } },
      isLeaving
    ) {
      const stored = yield* database.attempt(
        "chunks.countRepeats",
        () =>
          new Set(
            database
              .statement(
                "SELECT c.id FROM documents d CROSS JOIN chunks c ON c.document = d.key WHERE d.id = ?"
              )
              .all(id)
              .map((row) => textOf(row, "id"))
          )
      )
      if (chunks.every((chunk) => stored.has(chunk.id))) return 0
      const seen = new Set<string>()
      let repeated = 0
      for (let start = 0; start < chunks.length; start += slice) {
        repeated += yield* database.attempt("chunks.countRepeats", () => {
          let count = 0
          for (const chunk of chunks.slice(start, start + slice)) {
            const hash = textHash(chunk.text)
            if (!stored.has(chunk.id) && (seen.has(hash) || heldElsewhere(source, id, hash, isLeaving)))
              count++
            seen.add(hash)
          }
          return count
        })
        yield* Effect.yieldNow
      }
      return repeated
    })
  }
}
