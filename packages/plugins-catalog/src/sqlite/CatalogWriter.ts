import type { CatalogError } from "@omnirag/core/plugin"
import { Effect, Semaphore } from "effect"
import type { DatabaseSync } from "node:sqlite"
import { type CatalogDatabase, failureOf, makeCatalogDatabase } from "./CatalogDatabase.ts"

/** What statements inside the open transaction need. */
export type Transaction = Pick<CatalogDatabase, "statement">

/**
 * The one connection that writes. Readers have another: they see the state before a transaction or after it, also while
 * a long one is under way. Transactions wait for each other; anything thrown in one rolls it back wholly.
 */
export interface CatalogWriter {
  readonly readOnly: boolean
  /** One transaction in one go. */
  readonly write: <A>(
    operation: string,
    body: (transaction: Transaction) => A
  ) => Effect.Effect<A, CatalogError>
  /** One transaction in slices: at each `yield` of `body` other fibers get a turn. Interruption rolls it back. */
  readonly writeInSlices: <A>(
    operation: string,
    body: (transaction: Transaction) => Iterator<void, A>
  ) => Effect.Effect<A, CatalogError>
}

/** Wraps the connection that writes. */
export const makeCatalogWriter = (db: DatabaseSync, readOnly: boolean): CatalogWriter => {
  const transaction: Transaction = makeCatalogDatabase(db, readOnly)
  const turn = Semaphore.makeUnsafe(1)

  const writeInSlices = <A>(operation: string, body: (transaction: Transaction) => Iterator<void, A>) => {
    const attempt = <B>(step: () => B) =>
      Effect.try({ try: step, catch: (cause) => failureOf(operation, cause) })

    const rollBack = attempt(() => {
      // SQLite has rolled back by itself after some failures (disk full, input/output)
      if (db.isTransaction) db.exec("ROLLBACK")
    })

    return Effect.gen(function* () {
      const steps = yield* attempt(() => {
        db.exec("BEGIN IMMEDIATE")
        return body(transaction)
      })
      for (;;) {
        const step = yield* attempt(() => {
          const next = steps.next()
          if (next.done === true) db.exec("COMMIT")
          return next
        })
        if (step.done === true) return step.value
        yield* Effect.yieldNow
      }
    }).pipe(
      Effect.onExit((exit) => (exit._tag === "Success" ? Effect.void : rollBack)),
      turn.withPermit,
      Effect.withSpan(`Catalog.${operation}`)
    )
  }

  return {
    readOnly,
    write: (operation, body) =>
      writeInSlices(operation, (open) => ({ next: () => ({ done: true, value: body(open) }) })),
    writeInSlices
  }
}
