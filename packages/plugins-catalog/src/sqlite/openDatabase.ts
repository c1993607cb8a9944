import { type CatalogError, IndexCorrupt } from "@omnirag/core/plugin"
import { Effect, type Scope } from "effect"
import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type CatalogDatabase, failureOf, makeCatalogDatabase } from "./CatalogDatabase.ts"
import { type CatalogWriter, makeCatalogWriter } from "./CatalogWriter.ts"
import { catalogFile, isDamage } from "./describeFailure.ts"
import { headerFault } from "./fileHeader.ts"
import { migrate, schemaVersion } from "./migrations.ts"
import { numberOf, textOf } from "./columns.ts"
import { publishDatabase, removeDatabase } from "./publishFile.ts"

/** How long a write waits for another process, in milliseconds. */
const busyTimeout = 5000

/** A larger file is not read through at each start (0.6 ms a megabyte); `check` still does. Bytes. */
const quickCheckLimit = 256 * 1024 * 1024

/**
 * Settings of every connection.
 *
 * - `synchronous = NORMAL`: with a write-ahead log, the death of the process loses nothing, as what is committed is in
 *   the hands of the operating system. A power cut may lose the last transactions, never half of one: the files they
 *   were made from are still there, and the next run sees that they changed.
 * - 24 MB of cache, and no memory mapping: a mapped file that is truncated by somebody kills the process.
 * - `cell_size_check` finds damaged pages as they are read; the schema may not call functions we did not mean.
 */
const settings = `
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -24576;
  PRAGMA mmap_size = 0;
  PRAGMA temp_store = MEMORY;
  PRAGMA cell_size_check = ON;
  PRAGMA trusted_schema = OFF;
`

/**
 * Pages of 8 kB fit long texts and vectors. The log is moved into the file every 64 MB, and cut back to that: moving it
 * waits for the disk, and pages that many documents touch are moved once and not over and over.
 */
const writerSettings = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`

export const connect = (file: string, readOnly: boolean): DatabaseSync => {
  const db = new DatabaseSync(file, { readOnly, timeout: busyTimeout, enableForeignKeyConstraints: true })
  try {
    db.exec(settings)
    if (!readOnly) db.exec(writerSettings)
    return db
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** Makes the database in a temporary file and moves it into place when whole, so no crash leaves an empty one. */
export const createDatabase = (file: string): void => {
  const temporary = `${file}.new`
  removeDatabase(temporary)
  const db = connect(temporary, false)
  try {
    migrate(db, 0)
  } finally {
    db.close()
  }
  publishDatabase(temporary, file)
}

const corrupt = (reason: string, remedy: IndexCorrupt["remedy"] = "rebuild"): IndexCorrupt =>
  new IndexCorrupt({ file: catalogFile, reason, remedy })

const versionOf = (db: DatabaseSync): number =>
  numberOf(db.prepare("PRAGMA user_version").get() ?? {}, "user_version")

/**
 * What is wrong with the pages of the tables. Table by table, since a check of the whole file has FTS5 verify all of its
 * index too, which takes three times as long; `check` does that.
 */
const tableFault = (db: DatabaseSync): string | undefined => {
  for (const table of db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all()) {
    const name = textOf(table, "name")
    const finding = db.prepare(`PRAGMA quick_check('${name}')`).get()
    const verdict = textOf(finding ?? {}, "quick_check")
    if (verdict !== "ok") return verdict
  }
  return undefined
}

/** Why the open database cannot be used. */
const contentFault = (db: DatabaseSync, file: string): IndexCorrupt | undefined => {
  const version = versionOf(db)
  if (version > schemaVersion)
    return corrupt(
      `the file was written by a newer version of this program (schema ${version}; this one knows ${schemaVersion})`,
      "update"
    )
  if (version < 1) return corrupt("the file holds no schema")
  if (statSync(file).size > quickCheckLimit) return undefined
  const damage = tableFault(db)
  return damage === undefined ? undefined : corrupt(`the file is damaged (${damage.replaceAll(/\s+/g, " ")})`)
}

const openChecked = (file: string, readOnly: boolean): DatabaseSync | IndexCorrupt => {
  const fault = headerFault(file)
  if (fault !== undefined) return corrupt(fault)
  const db = connect(file, readOnly)
  try {
    const found = contentFault(db, file)
    if (found === undefined) {
      if (!readOnly) migrate(db, versionOf(db))
      return db
    }
    db.close()
    return found
  } catch (cause) {
    db.close()
    throw cause
  }
}

const open = (folder: string, readOnly: boolean): DatabaseSync | IndexCorrupt => {
  const file = join(folder, catalogFile)
  if (!existsSync(file)) {
    if (readOnly) return corrupt("the file is missing")
    mkdirSync(folder, { recursive: true })
    createDatabase(file)
  }
  return openChecked(file, readOnly)
}

/** The connection to the catalog in `folder` for the life of the scope. */
export const openConnection = Effect.fn("openConnection")(function* (
  folder: string,
  readOnly: boolean
): Effect.fn.Return<DatabaseSync, CatalogError | IndexCorrupt, Scope.Scope> {
  const opened = yield* Effect.acquireRelease(
    Effect.try({
      try: () => open(folder, readOnly),
      catch: (cause) =>
        isDamage(cause)
          ? corrupt(`the file is damaged (${cause instanceof Error ? cause.message : String(cause)})`)
          : failureOf("open", cause)
    }),
    (db) => Effect.sync(() => (db instanceof DatabaseSync ? db.close() : undefined))
  )
  return opened instanceof DatabaseSync ? opened : yield* opened
})

/** An open catalog: the connection that is read from, and the one that writes. */
export interface Connections {
  readonly database: CatalogDatabase
  readonly writer: CatalogWriter
}

/**
 * Opens the catalog in `folder` for the life of the scope, creating it when it is not there and may be written. Reads
 * have a connection of their own, so that none sees half of a transaction that is under way, or waits for it.
 * `IndexCorrupt` for a file that is missing (when reading), empty, torn, foreign or newer than this program.
 */
export const openConnections = Effect.fn("openConnections")(function* (
  folder: string,
  readOnly: boolean
): Effect.fn.Return<Connections, CatalogError | IndexCorrupt, Scope.Scope> {
  const first = yield* openConnection(folder, readOnly)
  const reading = readOnly
    ? first
    : yield* Effect.acquireRelease(
        Effect.try({
          try: () => connect(join(folder, catalogFile), true),
          catch: (cause) => failureOf("open", cause)
        }),
        (db) => Effect.sync(() => db.close())
      )
  return { database: makeCatalogDatabase(reading, readOnly), writer: makeCatalogWriter(first, readOnly) }
})
