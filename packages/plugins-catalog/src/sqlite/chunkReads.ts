import type { Catalog } from "@omnirag/core/plugin"
import { Effect, Option, Stream } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { chunkColumns, chunkOf, chunkRecordOf, fieldColumns } from "./chunkRows.ts"
import { numberOf, textOf } from "./columns.ts"

/** Ids looked up by one statement, and chunks read by one page of a stream. */
const batch = 500

const batches = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / batch) }, (_, index) =>
    items.slice(index * batch, (index + 1) * batch)
  )

/** Reading chunks. */
export const chunkReads = (
  database: CatalogDatabase
): Pick<Catalog, "chunk" | "chunks" | "chunksOf" | "chunkIds" | "counts" | "isEmpty" | "texts"> => ({
  chunk: (id) =>
    database.attempt("chunk", () =>
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

  chunks: (ids) =>
    database.attempt("chunks", () =>
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

  chunksOf: (documentId) =>
    database.attempt("chunksOf", () =>
      database
        .statement(
          `SELECT ${chunkColumns} FROM documents d CROSS JOIN chunks c ON c.document = d.key
           WHERE d.id = ? ORDER BY c.position`
        )
        .all(documentId)
        .map(chunkOf)
    ),

  chunkIds: database.attempt("chunkIds", () =>
    database
      .statement("SELECT id FROM chunks ORDER BY id")
      .all()
      .map((row) => textOf(row, "id"))
  ),

  counts: database.attempt("counts", () => {
    const row =
      database
        .statement(
          `SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM chunks) AS chunks,
             (SELECT count(*) FROM vectors) AS vectors, (SELECT count(*) FROM outbox) AS outbox`
        )
        .get() ?? {}
    return {
      documents: numberOf(row, "documents"),
      chunks: numberOf(row, "chunks"),
      vectors: numberOf(row, "vectors"),
      outbox: numberOf(row, "outbox")
    }
  }),

  isEmpty: database.attempt(
    "isEmpty",
    () =>
      numberOf(database.statement("SELECT EXISTS (SELECT 1 FROM chunks) AS some").get() ?? {}, "some") === 0
  ),

  // by document id and position, whatever the history of the index: the same content fits the same embedder
  texts: Stream.paginate({ document: "", position: -1 }, ({ document, position }) =>
    Effect.map(
      database.attempt("texts", () =>
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
