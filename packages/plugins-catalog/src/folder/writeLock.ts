import { CatalogError, IndexLocked } from "@omnirag/core/plugin"
import { Effect, type Scope } from "effect"
import { DatabaseSync } from "node:sqlite"
import { textOf } from "../sqlite/columns.ts"
import { describeFailure, sqliteCode } from "../sqlite/describeFailure.ts"

/** The file of the lock inside the data folder. */
export const lockFile = "writer.lock"

const busy = (cause: unknown): boolean => sqliteCode(cause) === 5

const holderOf = (db: DatabaseSync): string => {
  const row = db.prepare("SELECT holder FROM lock").get()
  return row === undefined ? "another process" : textOf(row, "holder")
}

/** True when this connection now holds the write lock of the file, until it is closed. */
const take = (db: DatabaseSync, holder: string): boolean => {
  try {
    db.exec("BEGIN IMMEDIATE")
    db.exec("CREATE TABLE IF NOT EXISTS lock (only INTEGER PRIMARY KEY CHECK (only = 1), holder TEXT) STRICT")
    db.prepare("INSERT OR REPLACE INTO lock VALUES (1, ?)").run(holder)
    // the name has to be committed for others to read it; whoever slips in between holds the lock instead
    db.exec("COMMIT; BEGIN IMMEDIATE")
    return true
  } catch (cause) {
    if (busy(cause)) return false
    throw cause
  }
}

const attempt = <A>(body: () => A) =>
  Effect.try({
    try: body,
    catch: (cause) =>
      new CatalogError({
        operation: "lock",
        message: `lock failed in the data folder: ${describeFailure(cause, lockFile)}`,
        cause
      })
  })

/**
 * Takes the write lock of this file until the scope ends. It is an open write transaction on a small database: the
 * operating system frees its lock with the process, however that ends, and nobody has to guess from a process number
 * whether the holder still lives.
 */
export const takeWriteLock = Effect.fn("GenerationRegistry.lock")(function* (
  file: string,
  holder: string
): Effect.fn.Return<void, IndexLocked | CatalogError, Scope.Scope> {
  const db = yield* Effect.acquireRelease(
    attempt(() => new DatabaseSync(file, { timeout: 0 })),
    (connection) => Effect.sync(() => connection.close())
  )
  const other = yield* attempt(() => (take(db, holder) ? undefined : holderOf(db)))
  if (other !== undefined) return yield* new IndexLocked({ holder: other })
})
