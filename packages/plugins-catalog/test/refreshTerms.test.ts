import { documentEntry } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { writeMeta } from "../src/sqlite/meta.ts"
import { layer, temporaryFolder, withCatalog } from "./catalogFolder.ts"

const total = 100

/** A catalog whose terms all are what an older analysis made: `body` became `older`. */
const older = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const chunks = Array.from({ length: total }, (_, n) => ({
    text: `zebra${n} grazes`,
    headings: ["Animals"]
  }))
  yield* withCatalog(folder, (catalog) => catalog.replaceDocument(documentEntry({ chunks })))
  const change = (body: (db: DatabaseSync) => void) =>
    Effect.sync(() => {
      const db = new DatabaseSync(join(folder, "catalog.sqlite"))
      body(db)
      db.close()
    })
  let version = ""
  yield* change((db) => {
    version = String(db.prepare("SELECT value FROM meta WHERE key = 'lexical.terms'").get()?.["value"])
    db.exec("UPDATE chunk_terms SET heading = 'older', body = 'older'")
    writeMeta({ statement: (sql) => db.prepare(sql) }, "lexical.terms", "0.0")
  })
  return { folder, change, version }
})

const found = (folder: string, term: string) =>
  withCatalog(folder, (catalog) =>
    Effect.map(catalog.lexical({ terms: [term], limit: 1000 }), (hits) => hits.length)
  )

const refresh = (folder: string) => withCatalog(folder, (catalog) => catalog.refreshTerms)

describe("terms of an older analysis", () => {
  it.live("are what queries see until they are made anew, once", () =>
    Effect.gen(function* () {
      const { folder } = yield* older
      assert.deepStrictEqual(yield* withCatalog(folder, (catalog) => catalog.check), [])
      assert.strictEqual(yield* found(folder, "older"), total)
      assert.strictEqual(yield* found(folder, "graze"), 0)
      assert.strictEqual(yield* refresh(folder), total)
      assert.strictEqual(yield* found(folder, "older"), 0)
      assert.strictEqual(yield* found(folder, "graze"), total)
      assert.strictEqual(yield* found(folder, "anim"), total)
      assert.strictEqual(yield* found(folder, "zebra7"), 1)
      assert.strictEqual(yield* refresh(folder), 0)
      assert.deepStrictEqual(yield* withCatalog(folder, (catalog) => catalog.check), [])
    }).pipe(Effect.provide(layer))
  )

  it.live("are gone on with after an interruption", () =>
    Effect.gen(function* () {
      const { folder } = yield* older
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(catalog.refreshTerms)
          // the first slice is done when this fiber has its turn again
          yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
        })
      )
      const left = yield* found(folder, "older")
      assert.isTrue(left > 0 && left < total)
      assert.strictEqual(yield* refresh(folder), left)
      assert.strictEqual(yield* found(folder, "graze"), total)
    }).pipe(Effect.provide(layer))
  )

  it.live("are begun anew when the interrupted work was for another version", () =>
    Effect.gen(function* () {
      const { change, folder, version } = yield* older
      const progress = (value: string) =>
        change((db) => writeMeta({ statement: (sql) => db.prepare(sql) }, "lexical.progress", value))
      yield* progress(`${version} 60`)
      assert.strictEqual(yield* refresh(folder), total - 60)
      yield* change((db) => writeMeta({ statement: (sql) => db.prepare(sql) }, "lexical.terms", "0.0"))
      yield* progress("0.9 60")
      assert.strictEqual(yield* refresh(folder), total)
      assert.strictEqual(yield* found(folder, "graze"), total)
    }).pipe(Effect.provide(layer))
  )
})
