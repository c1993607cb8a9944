import { CatalogError, IndexRun, type RunHistory } from "@omnirag/core/plugin"
import { Effect, Schema } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter } from "./CatalogWriter.ts"
import { checksumOf } from "./checksum.ts"
import { textOf } from "./columns.ts"

/** Runs that are kept, the newest. */
const keptRuns = 200

const RunJson = Schema.fromJsonString(IndexRun)
const failed = (operation: string) => (cause: Schema.SchemaError) =>
  new CatalogError({ operation, message: `${operation} failed: the run does not have its form`, cause })

/** The indexing runs, each as JSON. */
export const runHistory = (database: CatalogDatabase, writer: CatalogWriter): RunHistory => ({
  save: Effect.fn("Catalog.runs.save")(function* (run) {
    const json = yield* Effect.mapError(Schema.encodeEffect(RunJson)(run), failed("runs.save"))
    yield* writer.write("runs.save", (transaction) => {
      transaction
        .statement(
          `INSERT INTO runs (id, started_at, run, checksum) VALUES (?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET (started_at, run, checksum) =
               (excluded.started_at, excluded.run, excluded.checksum)`
        )
        .run(run.id, run.startedAt, json, checksumOf([json]))
      transaction
        .statement(
          `DELETE FROM runs WHERE key NOT IN
               (SELECT key FROM runs ORDER BY started_at DESC, key DESC LIMIT ${keptRuns})`
        )
        .run()
    })
  }),

  latest: Effect.fn("Catalog.runs.latest")(function* (first) {
    const rows = yield* database.attempt("runs.latest", () =>
      database
        .statement("SELECT run FROM runs ORDER BY started_at DESC, key DESC LIMIT ?")
        .all(Math.max(0, first))
        .map((row) => textOf(row, "run"))
    )
    return yield* Effect.forEach(rows, (json) =>
      Effect.mapError(Schema.decodeEffect(RunJson)(json), failed("runs.latest"))
    )
  })
})
