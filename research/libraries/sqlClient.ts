/**
 * The catalog's way of using node:sqlite beside Effect's SqlClient, on the same rows in one process: processor time a
 * statement, and what the client can and cannot do of what the catalog needs.
 *
 *     npm install --no-save @effect/sql-sqlite-node@4.1.0
 *     node research/libraries/sqlClient.ts
 */
import { SqliteClient, SqliteMigrator } from "@effect/sql-sqlite-node"
import { Cause, Effect, Exit, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"

const documents = 1500
const chunksOfDocument = 12
const chunks = documents * chunksOfDocument
const schema = [
  `CREATE TABLE chunks (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document INTEGER NOT NULL,
     position INTEGER NOT NULL, text TEXT NOT NULL, hash BLOB NOT NULL) STRICT`,
  "CREATE TABLE outbox (sequence INTEGER PRIMARY KEY AUTOINCREMENT, chunk_id TEXT NOT NULL UNIQUE) STRICT"
]
const text = "Some words of a chunk, about as many as one has. ".repeat(16)
const hash = new Uint8Array(20)
const idOf = (index: number) => `${index % documents}-${index % chunksOfDocument}`

const folder = mkdtempSync(join(tmpdir(), "omnirag-sql-"))

/** Processor time of an effect in microseconds for each of `count` statements. */
const measured = <A, E, R>(name: string, count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = process.cpuUsage()
    yield* effect
    const { system, user } = process.cpuUsage(before)
    console.log(name.padEnd(44), `${((system + user) / count).toFixed(1)} µs a statement`)
  })

const withNodeSqlite = (file: string) =>
  Effect.gen(function* () {
    const db = new DatabaseSync(file)
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema.join(";")}`)
    const kept = new Map<string, StatementSync>()
    const statement = (sql: string): StatementSync => {
      const prepared = kept.get(sql) ?? db.prepare(sql)
      kept.set(sql, prepared)
      return prepared
    }
    const read = (index: number) => statement("SELECT key, text FROM chunks WHERE id = ?").get(idOf(index))
    const write = (document: number) =>
      Effect.sync(() => {
        db.exec("BEGIN IMMEDIATE")
        for (let position = 0; position < chunksOfDocument; position++) {
          const id = `${document}-${position}`
          statement("INSERT INTO chunks (id, document, position, text, hash) VALUES (?, ?, ?, ?, ?)").run(
            id,
            document,
            position,
            text,
            hash
          )
          statement("INSERT INTO outbox (chunk_id) VALUES (?)").run(id)
        }
        db.exec("COMMIT")
      }).pipe(Effect.withSpan("write"))
    yield* measured(
      "node:sqlite, a transaction a document",
      chunks * 2,
      Effect.gen(function* () {
        for (let document = 0; document < documents; document++) yield* write(document)
      })
    )
    yield* measured(
      "node:sqlite, reads in one effect",
      chunks,
      Effect.sync(() => {
        for (let index = 0; index < chunks; index++) read(index)
      })
    )
    db.close()
  })

const withSqlClient = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const part of ["PRAGMA synchronous = NORMAL", ...schema]) yield* sql.unsafe(part)
  const write = (document: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        for (let position = 0; position < chunksOfDocument; position++) {
          const id = `${document}-${position}`
          yield* sql`INSERT INTO chunks (id, document, position, text, hash)
            VALUES (${id}, ${document}, ${position}, ${text}, ${hash})`
          yield* sql`INSERT INTO outbox (chunk_id) VALUES (${id})`
        }
      })
    )
  yield* measured(
    "SqlClient, a transaction a document",
    chunks * 2,
    Effect.gen(function* () {
      for (let document = 0; document < documents; document++) yield* write(document)
    })
  )
  yield* measured(
    "SqlClient, reads",
    chunks,
    Effect.gen(function* () {
      for (let index = 0; index < chunks; index++)
        yield* sql`SELECT key, text FROM chunks WHERE id = ${idOf(index)}`
    })
  )
})

/** The innermost message of a failure: SQLite's own. */
const innermost = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined
    ? innermost(error.cause)
    : typeof error === "object" && error !== null && "reason" in error
      ? innermost(error.reason)
      : String(error)

const tell = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) =>
    console.log(`${what}:`, Exit.isSuccess(exit) ? exit.value : innermost(Cause.squash(exit.cause)))
  )

const abilities = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("PRAGMA page_size = 8192")
  yield* sql.unsafe("VACUUM")
  yield* tell("page size after asking for 8192", sql.unsafe("PRAGMA page_size").values)
  yield* tell("a function of our own", sql`SELECT text_test(0, 'a')`)
  yield* tell("rows as a stream", Stream.runCount(sql`SELECT 1`.stream))
  yield* sql.unsafe("CREATE TABLE one (a); CREATE TABLE two (a)")
  yield* tell(
    "tables made by two statements in one text",
    sql`SELECT name FROM sqlite_schema WHERE name IN ('one', 'two')`.values
  )
  const handles = Object.values(sql).filter((value) => value instanceof DatabaseSync)
  console.log("database handles that the client shows:", handles.length)
})

const migrateOldFile = (file: string) => {
  const old = new DatabaseSync(file)
  old.exec(`PRAGMA journal_mode = WAL; ${schema.join(";")}; PRAGMA user_version = 1`)
  old.close()
  const first = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const part of schema) yield* sql.unsafe(part)
  })
  return tell(
    "the Migrator on a file at user_version 1",
    SqliteMigrator.run({ loader: Effect.succeed([[1, "first", Effect.succeed(first)]]) })
  ).pipe(Effect.provide(SqliteClient.layer({ filename: file })))
}

for (let round = 1; round <= 3; round++) {
  await Effect.runPromise(withNodeSqlite(join(folder, `node-${round}.sqlite`)))
  const layer = SqliteClient.layer({ filename: join(folder, `client-${round}.sqlite`) })
  await Effect.runPromise(withSqlClient.pipe(Effect.provide(layer)))
}
const layer = SqliteClient.layer({ filename: join(folder, "abilities.sqlite") })
await Effect.runPromise(abilities.pipe(Effect.provide(layer)))
await Effect.runPromise(migrateOldFile(join(folder, "old.sqlite")))
rmSync(folder, { recursive: true })
