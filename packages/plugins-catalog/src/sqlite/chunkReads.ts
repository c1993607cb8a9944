import type { CatalogError, ChunkCatalog, InvalidInput } from "@omnirag/core/plugin"
import { Effect, Option, Stream } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { batch, batches } from "./batches.ts"
import { chunkIds } from "./chunkIds.ts"
import { chunkColumns, chunkOf, chunkRecordOf, fieldColumns } from "./chunkRows.ts"
import { numberOf, textOf } from "./columns.ts"
import { conditionOf } from "./condition.ts"

/** Reading chunks. */
export const chunkReads = (
  database: CatalogDatabase
): Pick<ChunkCatalog, "get" | "getMany" | "ofDocument" | "isEmpty" | "ids" | "matching" | "texts"> => ({
  get: (id) =>
    database.attempt("chunks.get", () =>
      Option.map(
        Option.fromNullishOr(
          database
            .statement(
              `SELECT ${chunkColumns}, ${fieldColumns}, d.title
               FROM chunks c CROSS JOIN documents d ON d.key = c.document WHERE c.id = ?`
            )
            .get(id)
        ),
        chunkRecordOf
      )
    ),

  getMany: (ids) =>
    database.attempt("chunks.getMany", () =>
      database.read(() =>
        batches(ids).flatMap((some) =>
          database
            .statement(
              `SELECT ${chunkColumns}, ${fieldColumns}, d.title
               FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value CROSS JOIN documents d ON d.key = c.document
               ORDER BY j.key`
            )
            .all(JSON.stringify(some))
            .map(chunkRecordOf)
        )
      )
    ),

  ofDocument: (documentId) =>
    database.attempt("chunks.ofDocument", () =>
      database
        .statement(
          `SELECT ${chunkColumns} FROM documents d CROSS JOIN chunks c ON c.document = d.key
           WHERE d.id = ? ORDER BY c.position`
        )
        .all(documentId)
        .map(chunkOf)
    ),

  ids: chunkIds(database),

  matching: Effect.fn("Catalog.chunks.matching")(function* (where, limit): Effect.fn.Return<
    ReadonlyArray<string>,
    CatalogError | InvalidInput
  > {
    const condition = yield* conditionOf(where, "chunks")
    return yield* database.attempt("chunks.matching", () =>
      database.withTests(condition.tests, () =>
        database
          .filtered(
            `SELECT c.id FROM documents d CROSS JOIN chunks c ON c.document = d.key
             WHERE ${condition.sql} LIMIT ?`
          )
          .all(...condition.parameters, Math.max(0, limit))
          .map((row) => textOf(row, "id"))
      )
    )
  }),

  isEmpty: database.attempt(
    "chunks.isEmpty",
    () =>
      numberOf(database.statement("SELECT EXISTS (SELECT 1 FROM chunks) AS some").get() ?? {}, "some") === 0
  ),

  // by document id and position, whatever the history of the index: the same content fits the same embedder
  texts: Stream.paginate({ document: "", position: -1 }, ({ document, position }) =>
    Effect.map(
      database.attempt("chunks.texts", () =>
        database
          .statement(
            `SELECT c.id AS chunk_id, d.id AS document_id, c.position, c.text
             FROM documents d CROSS JOIN chunks c ON c.document = d.key
             WHERE d.id >= ?1 AND (d.id > ?1 OR c.position > ?2) ORDER BY d.id, c.position LIMIT ${batch}`
          )
          .all(document, position)
      ),
      (rows) => {
        const last = rows.at(-1)
        return [
          rows.map((row) => ({ chunkId: textOf(row, "chunk_id"), text: textOf(row, "text") })),
          last === undefined || rows.length < batch
            ? Option.none()
            : Option.some({
                document: textOf(last, "document_id"),
                position: numberOf(last, "position")
              })
        ] as const
      }
    )
  )
})
