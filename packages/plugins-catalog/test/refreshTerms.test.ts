import { documentEntry, lexicalOf } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import type { GenerationRef } from "@omnirag/core/app"
import { Effect, Fiber } from "effect"
import { DatabaseSync } from "node:sqlite"
import { writeMeta } from "../src/sqlite/meta.ts"
import { layer, newGeneration, withCatalog } from "./catalogLayer.ts"

const total = 100

/** A catalog whose terms all are what an older analysis made: `body` became `older`. */
const older = Effect.gen(function* () {
  const { file, generation } = yield* newGeneration
  const chunks = Array.from({ length: total }, (_, n) => ({
    text: `zebra${n} grazes`,
    headings: ["Animals"]
  }))
  yield* withCatalog(generation, (catalog) => catalog.documents.replace(documentEntry({ chunks })))
  const change = (body: (db: DatabaseSync) => void) =>
    Effect.sync(() => {
      const db = new DatabaseSync(file)
      body(db)
      db.close()
    })
  let version = ""
  yield* change((db) => {
    version = String(db.prepare("SELECT value FROM meta WHERE key = 'lexical.terms'").get()?.["value"])
    db.exec("UPDATE chunk_terms SET heading = 'older', body = 'older'")
    writeMeta({ statement: (sql) => db.prepare(sql) }, "lexical.terms", "0.0")
  })
  return { generation, change, version }
})

const found = (generation: GenerationRef, term: string) =>
  withCatalog(generation, (catalog) =>
    Effect.map(lexicalOf(catalog).search({ terms: [term], limit: 1000 }), (hits) => hits.length)
  )

const refresh = (generation: GenerationRef) =>
  withCatalog(generation, (catalog) => lexicalOf(catalog).refresh)

describe("terms of an older analysis", () => {
  it.live("are what queries see until they are made anew, once", () =>
    Effect.gen(function* () {
      const { generation } = yield* older
      assert.deepStrictEqual(yield* withCatalog(generation, (catalog) => catalog.check), [])
      assert.strictEqual(yield* found(generation, "older"), total)
      assert.strictEqual(yield* found(generation, "graze"), 0)
      assert.strictEqual(yield* refresh(generation), total)
      assert.strictEqual(yield* found(generation, "older"), 0)
      assert.strictEqual(yield* found(generation, "graze"), total)
      assert.strictEqual(yield* found(generation, "anim"), total)
      assert.strictEqual(yield* found(generation, "zebra7"), 1)
      assert.strictEqual(yield* refresh(generation), 0)
      assert.deepStrictEqual(yield* withCatalog(generation, (catalog) => catalog.check), [])
    }).pipe(Effect.provide(layer))
  )

  it.live("are resumed after an interruption", () =>
    Effect.gen(function* () {
      const { generation } = yield* older
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(lexicalOf(catalog).refresh)
          // the first slice is done when this fiber has its turn again
          yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
        })
      )
      const left = yield* found(generation, "older")
      assert.isTrue(left > 0 && left < total)
      assert.strictEqual(yield* refresh(generation), left)
      assert.strictEqual(yield* found(generation, "graze"), total)
    }).pipe(Effect.provide(layer))
  )

  it.live("are begun anew when the interrupted work was for another version", () =>
    Effect.gen(function* () {
      const { change, generation, version } = yield* older
      const progress = (value: string) =>
        change((db) => writeMeta({ statement: (sql) => db.prepare(sql) }, "lexical.progress", value))
      yield* progress(`${version} 60`)
      assert.strictEqual(yield* refresh(generation), total - 60)
      yield* change((db) => writeMeta({ statement: (sql) => db.prepare(sql) }, "lexical.terms", "0.0"))
      yield* progress("0.9 60")
      assert.strictEqual(yield* refresh(generation), total)
      assert.strictEqual(yield* found(generation, "graze"), total)
    }).pipe(Effect.provide(layer))
  )
})
