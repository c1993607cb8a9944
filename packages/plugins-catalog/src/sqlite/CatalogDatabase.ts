import { CatalogError } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { describeFailure, isDamage } from "./describeFailure.ts"

/** A test of a text that SQL cannot express exactly (a glob, a prefix, the order of UTF-16 units). */
export type TextTest = (value: string) => boolean

/** A connection to the database with its prepared statements. */
export interface CatalogDatabase {
  readonly readOnly: boolean
  /** A statement prepared once and kept. */
  readonly statement: (sql: string) => StatementSync
  /** A statement whose SQL depends on a filter: the last few are kept. */
  readonly filtered: (sql: string) => StatementSync
  /** Runs `body` while the SQL function `text_test(slot, value)` stands for these tests. */
  readonly withTests: <A>(tests: ReadonlyArray<TextTest>, body: () => A) => A
  /** One read transaction: several statements see the same state. */
  readonly read: <A>(body: () => A) => A
  /** Runs synchronous database work as an effect with a span, its failure as a `CatalogError`. */
  readonly attempt: <A>(operation: string, body: () => A) => Effect.Effect<A, CatalogError>
}

const keptFilteredStatements = 64

/** What made an operation fail, as a `CatalogError`. */
export const failureOf = (operation: string, cause: unknown): CatalogError =>
  new CatalogError({
    operation,
    message: `${operation} failed: ${describeFailure(cause)}`,
    cause,
    ...(isDamage(cause) ? { remedy: "rebuild" as const } : {})
  })

const readTransaction = <A>(db: DatabaseSync, body: () => A): A => {
  db.exec("BEGIN")
  try {
    const result = body()
    db.exec("COMMIT")
    return result
  } catch (cause) {
    try {
      // SQLite has rolled back by itself after some failures (input/output)
      if (db.isTransaction) db.exec("ROLLBACK")
    } catch (rollback) {
      throw new AggregateError([cause, rollback], "the transaction failed and could not be rolled back", {
        cause: rollback
      })
    }
    throw cause
  }
}

/** Wraps an open connection. */
export const makeCatalogDatabase = (db: DatabaseSync, readOnly: boolean): CatalogDatabase => {
  const kept = new Map<string, StatementSync>()
  const recent = new Map<string, StatementSync>()
  let tests: ReadonlyArray<TextTest> = []

  db.function("text_test", { directOnly: true }, (slot, value) => {
    const test = tests[Number(slot)]
    return typeof value === "string" && test !== undefined && test(value) ? 1 : 0
  })

  return {
    readOnly,
    statement: (sql) => {
      const found = kept.get(sql)
      if (found !== undefined) return found
      const prepared = db.prepare(sql)
      kept.set(sql, prepared)
      return prepared
    },
    filtered: (sql) => {
      const statement = recent.get(sql) ?? db.prepare(sql)
      recent.delete(sql)
      recent.set(sql, statement)
      if (recent.size > keptFilteredStatements) {
        const oldest = recent.keys().next().value
        if (oldest !== undefined) recent.delete(oldest)
      }
      return statement
    },
    withTests: (given, body) => {
      tests = given
      try {
        return body()
      } finally {
        tests = []
      }
    },
    read: (body) => readTransaction(db, body),
    attempt: (operation, body) =>
      Effect.try({ try: body, catch: (cause) => failureOf(operation, cause) }).pipe(
        Effect.withSpan(`Catalog.${operation}`)
      )
  }
}
