import {
  type Catalog,
  type CatalogError,
  type DocumentPage,
  InvalidInput,
  maxTopK
} from "@omnirag/core/plugin"
import { Effect, Option } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { documentOf } from "./chunkRows.ts"
import { numberOf, textOf, textOrNull } from "./columns.ts"
import { conditionOf } from "./condition.ts"

/** Reading documents, their texts and what is known of their files. */
export const documentReads = (
  database: CatalogDatabase
): Pick<Catalog, "document" | "text" | "documents" | "fileStates" | "sources"> => ({
  document: (id) =>
    database.attempt("document", () =>
      Option.map(
        Option.fromNullishOr(database.statement("SELECT * FROM documents WHERE id = ?").get(id)),
        documentOf
      )
    ),

  text: (documentId) =>
    database.attempt("text", () => {
      const parts = database
        .statement(
          `SELECT p.text FROM documents d CROSS JOIN document_parts p ON p.document = d.key
           WHERE d.id = ? ORDER BY p.part`
        )
        .all(documentId)
      return parts.length === 0
        ? Option.none()
        : Option.some(parts.map((row) => textOf(row, "text")).join(""))
    }),

  documents: Effect.fn("Catalog.documents")(function* ({
    where,
    first,
    after
  }): Effect.fn.Return<DocumentPage, CatalogError | InvalidInput> {
    if (!Number.isInteger(first) || first < 0 || first > maxTopK)
      return yield* new InvalidInput({
        field: "first",
        message: `first must be a whole number from 0 to ${maxTopK}`
      })
    const condition = yield* conditionOf(where, "documents")
    return yield* database.attempt("documents", () =>
      database.withTests(condition.tests, () =>
        database.read(() => {
          // ids are unique and never empty, so the page after the last one of this page starts behind it
          const rows = database
            .filtered(`SELECT * FROM documents d WHERE ${condition.sql} AND d.id > ? ORDER BY d.id LIMIT ?`)
            .all(...condition.parameters, after ?? "", first + 1)
          const total = database
            .filtered(`SELECT count(*) AS total FROM documents d WHERE ${condition.sql}`)
            .get(...condition.parameters)
          const documents = rows.slice(0, first).map(documentOf)
          return {
            documents,
            next: rows.length > first ? (documents.at(-1)?.id ?? null) : null,
            total: numberOf(total ?? {}, "total")
          }
        })
      )
    )
  }),

  fileStates: (source) =>
    database.attempt(
      "fileStates",
      () =>
        new Map(
          database
            .statement(
              `SELECT path, file_path, file_size, file_modified_at, file_hash FROM documents
               WHERE source = ? ORDER BY path`
            )
            .all(source)
            .map((row) => [
              textOf(row, "path"),
              {
                path: textOf(row, "file_path"),
                size: numberOf(row, "file_size"),
                modifiedAt: numberOf(row, "file_modified_at"),
                contentHash: textOf(row, "file_hash")
              }
            ])
        )
    ),

  sources: database.attempt("sources", () =>
    database
      .statement(
        // with max(), SQLite takes the other columns from the row that holds it: the revision indexed last
        `SELECT source, count(*) AS documents, sum(chunks) AS chunks, revision, max(indexed_at)
         FROM documents GROUP BY source ORDER BY source`
      )
      .all()
      .map((row) => ({
        name: textOf(row, "source"),
        documents: numberOf(row, "documents"),
        chunks: numberOf(row, "chunks"),
        revision: textOrNull(row, "revision")
      }))
  )
})
