import {
  type CatalogError,
  type DocumentCatalog,
  type DocumentCounts,
  type DocumentPage,
  InvalidInput,
  maxTopK,
  type SourceSummary
} from "@omnirag/core/plugin"
import { Effect, Option } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { batches } from "./batches.ts"
import { documentOf } from "./chunkRows.ts"
import { numberOf, textOf, textOrNull } from "./columns.ts"
import { conditionOf } from "./condition.ts"

/** Reading documents, their texts and what is known of their files. */
export const documentReads = (
  database: CatalogDatabase
): Pick<
  DocumentCatalog,
  "get" | "getMany" | "text" | "list" | "matching" | "fileStates" | "sources" | "count"
> => ({
  get: (id) =>
    database.attempt("documents.get", () =>
      Option.map(
        Option.fromNullishOr(database.statement("SELECT * FROM documents WHERE id = ?").get(id)),
        documentOf
      )
    ),

  getMany: (ids) =>
    database.attempt("documents.getMany", () =>
      database.read(() =>
        batches(ids).flatMap((some) =>
          database
            .statement(
              "SELECT d.* FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value ORDER BY j.key"
            )
            .all(JSON.stringify(some))
            .map(documentOf)
        )
      )
    ),

  text: (documentId) =>
    database.attempt("documents.text", () => {
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

  list: Effect.fn("Catalog.documents.list")(function* ({
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
    return yield* database.attempt("documents.list", () =>
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

  matching: Effect.fn("Catalog.documents.matching")(function* (where, limit): Effect.fn.Return<
    ReadonlyArray<string>,
    CatalogError | InvalidInput
  > {
    const condition = yield* conditionOf(where, "documents")
    return yield* database.attempt("documents.matching", () =>
      database.withTests(condition.tests, () =>
        database
          .filtered(`SELECT d.id FROM documents d WHERE ${condition.sql} LIMIT ?`)
          .all(...condition.parameters, Math.max(0, limit))
          .map((row) => textOf(row, "id"))
      )
    )
  }),

  fileStates: (source) =>
    database.attempt(
      "documents.fileStates",
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

  sources: Effect.fn("Catalog.documents.sources")(function* (where): Effect.fn.Return<
    ReadonlyArray<SourceSummary>,
    CatalogError | InvalidInput
  > {
    const condition = yield* conditionOf(where, "documents")
    return yield* database.attempt("documents.sources", () =>
      database.withTests(condition.tests, () =>
        database
          .filtered(
            // with max(), SQLite takes the other columns from the row that holds it: the revision indexed last
            `SELECT d.source, count(*) AS documents, sum(d.chunks) AS chunks, d.revision, max(d.indexed_at)
             FROM documents d WHERE ${condition.sql} GROUP BY d.source ORDER BY d.source`
          )
          .all(...condition.parameters)
          .map((row) => ({
            name: textOf(row, "source"),
            documents: numberOf(row, "documents"),
            chunks: numberOf(row, "chunks"),
            revision: textOrNull(row, "revision")
          }))
      )
    )
  }),

  count: Effect.fn("Catalog.documents.count")(function* (where): Effect.fn.Return<
    DocumentCounts,
    CatalogError | InvalidInput
  > {
    const condition = yield* conditionOf(where, "documents")
    return yield* database.attempt("documents.count", () =>
      database.withTests(condition.tests, () => {
        const row =
          database
            .filtered(
              `SELECT count(*) AS documents, coalesce(sum(d.chunks), 0) AS chunks
               FROM documents d WHERE ${condition.sql}`
            )
            .get(...condition.parameters) ?? {}
        return { documents: numberOf(row, "documents"), chunks: numberOf(row, "chunks") }
      })
    )
  })
})
