import { CatalogError, type IndexCorrupt } from "@omnirag/core/plugin"
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { backup, type DatabaseSync, type SQLInputValue } from "node:sqlite"
import { numberOf } from "./columns.ts"
import { catalogFile, describeFailure } from "./describeFailure.ts"
import { migrate } from "./migrations.ts"
import { connect, openConnection } from "./openDatabase.ts"
import { publishDatabase, removeDatabase } from "./publishFile.ts"

/** Pages copied, and rows, before other work gets a turn. */
const pagesAtOnce = 1024
const rowsAtOnce = 500

const failed = (cause: unknown): CatalogError =>
  new CatalogError({ operation: "seed", message: `seed failed: ${describeFailure(cause)}`, cause })

const attempt = <A>(body: () => A): Effect.Effect<A, CatalogError> => Effect.try({ try: body, catch: failed })

/** Copies the whole database page by page, off the event loop; nothing is in the outbox of the copy. */
const copyAll = Effect.fn("seed.copyAll")(function* (source: DatabaseSync, temporary: string) {
  yield* Effect.tryPromise({
    try: (signal) =>
      backup(source, temporary, {
        rate: pagesAtOnce,
        progress: () => {
          signal.throwIfAborted()
        }
      }),
    catch: failed
  })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const target = yield* openTemporary(temporary)
      yield* attempt(() => {
        target.exec("DELETE FROM outbox")
      })
    })
  )
})

/** The tables that outlive a change of the chunker. */
const kept: ReadonlyArray<readonly [table: string, columns: ReadonlyArray<string>]> = [
  ["fingerprints", ["key", "fingerprint", "last_use"]],
  ["vectors", ["key", "fingerprint", "role", "text_hash", "checksum", "vector"]],
  ["runs", ["key", "id", "started_at", "run", "checksum"]]
]

const openTemporary = (temporary: string) =>
  Effect.acquireRelease(
    attempt(() => connect(temporary, false)),
    (db) => Effect.sync(() => db.close())
  )

const copyTable = Effect.fn("seed.copyTable")(function* (
  source: DatabaseSync,
  target: DatabaseSync,
  table: string,
  columns: ReadonlyArray<string>
) {
  const names = columns.join(", ")
  const select = source.prepare(
    `SELECT ${names} FROM ${table} WHERE key > ? ORDER BY key LIMIT ${rowsAtOnce}`
  )
  const insert = target.prepare(
    `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => "?").join(", ")})`
  )
  let after = 0
  for (;;) {
    const last = yield* attempt(() => {
      const rows = select.all(after)
      target.exec("BEGIN")
      for (const row of rows) insert.run(...columns.map((column): SQLInputValue => row[column] ?? null))
      target.exec("COMMIT")
      return rows.at(-1)
    })
    if (last === undefined) return
    after = numberOf(last, "key")
    yield* Effect.yieldNow
  }
})

const copyVectors = Effect.fn("seed.copyVectors")(function* (source: DatabaseSync, temporary: string) {
  const target = yield* openTemporary(temporary)
  yield* attempt(() => {
    migrate(target, 0)
    // one state of the older catalog, whoever writes to it meanwhile
    source.exec("BEGIN")
  })
  yield* Effect.forEach(kept, ([table, columns]) => copyTable(source, target, table, columns), {
    discard: true
  })
}, Effect.scoped)

/**
 * Makes the catalog in `folder` out of the older one in `from`, with its documents or without. It is built under another name and moved into place when
 * whole and on the disk; a crash before that leaves nothing but a temporary file, which the next attempt replaces.
 */
export const seed = Effect.fn("CatalogProvider.seed")(function* (
  folder: string,
  from: string,
  documents: boolean
): Effect.fn.Return<void, CatalogError | IndexCorrupt> {
  const file = join(folder, catalogFile)
  const temporary = `${file}.new`
  yield* Effect.scoped(
    Effect.gen(function* () {
      const source = yield* openConnection(from, true)
      yield* attempt(() => {
        mkdirSync(folder, { recursive: true })
        removeDatabase(temporary)
      })
      yield* documents ? copyAll(source, temporary) : copyVectors(source, temporary)
    })
  )
  yield* attempt(() => {
    publishDatabase(temporary, file)
  })
})
