import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { emptyCounts, type IndexRun } from "../domain/IndexRun.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"

const run = (id: string, startedAt: number, change: Partial<IndexRun> = {}): IndexRun => ({
  id,
  status: "running",
  startedAt,
  endedAt: null,
  sources: ["repo"],
  counts: emptyCounts,
  failures: [],
  skipped: [{ source: "repo", path: "x", reason: "too large" }],
  warnings: ["careful"],
  ...change
})

/** What belongs to the file as a whole. */
export const catalogGenerationTests = (test: CatalogTest): void => {
  test("keeps runs, newest first, and the last state of each", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.saveRun(run("b", 2))
      yield* catalog.saveRun(run("a", 1))
      yield* catalog.saveRun(run("c", 3))
      const done = run("b", 2, { status: "succeeded", endedAt: 5 })
      yield* catalog.saveRun(done)
      assert.deepStrictEqual(yield* catalog.runs(2), [run("c", 3), done])
      assert.deepStrictEqual(
        (yield* catalog.runs(10)).map(({ id }) => id),
        ["c", "b", "a"]
      )
      assert.deepStrictEqual(yield* catalog.runs(0), [])
    }))

  test("keeps small values", (catalog) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* catalog.getMeta("key"), Option.none())
      yield* catalog.setMeta("key", "one")
      yield* catalog.setMeta("key", "two")
      assert.deepStrictEqual(yield* catalog.getMeta("key"), Option.some("two"))
    }))

  test("is there again after it was closed, and readable beside its writer", (catalog, folder) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const entry = documentEntry({ chunks: ["alpha"] })
      yield* catalog.replaceDocument(entry)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const reader = yield* provider.open(folder, { readOnly: true })
          assert.deepStrictEqual(yield* reader.chunksOf(entry.document.id), entry.chunks)
          yield* catalog.replaceDocument(documentEntry({ path: "new.md", chunks: ["bravo"] }))
          assert.lengthOf(yield* reader.lexical({ terms: ["bravo"], limit: 10 }), 1)
          const error = yield* Effect.flip(reader.setMeta("a", "b"))
          assert.strictEqual(error._tag, "CatalogError")
        })
      )
    }))

  test("fails with a typed error after it was closed", (_, folder) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const closed = yield* Effect.scoped(provider.open(`${folder}-closed`))
      assert.strictEqual((yield* Effect.flip(closed.counts))._tag, "CatalogError")
    }))

  test("seeds a new generation with everything but the outbox", (catalog, folder) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      yield* catalog.replaceDocument(entry)
      yield* catalog.saveRun(run("a", 1))
      yield* provider.seed(`${folder}-next`, { from: folder, documents: true })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const next = yield* provider.open(`${folder}-next`)
          assert.deepStrictEqual(yield* next.counts, { documents: 1, chunks: 2, vectors: 2, outbox: 0 })
          assert.deepStrictEqual(yield* next.chunksOf(entry.document.id), entry.chunks)
          assert.lengthOf(yield* next.lexical({ terms: ["alpha"], limit: 10 }), 1)
          assert.deepStrictEqual(yield* next.runs(10), [run("a", 1)])
          yield* next.deleteDocuments([entry.document.id])
          assert.deepStrictEqual(yield* next.check, [])
        })
      )
      assert.deepStrictEqual(yield* catalog.counts, { documents: 1, chunks: 2, vectors: 2, outbox: 2 })
    }))

  test("seeds a new generation with vectors and runs only", (catalog, folder) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      yield* catalog.replaceDocument(entry)
      yield* catalog.cacheVectors("other", "query", entry.vectors)
      yield* catalog.saveRun(run("a", 1))
      yield* catalog.setMeta("key", "value")
      yield* provider.seed(`${folder}-next`, { from: folder, documents: false })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const next = yield* provider.open(`${folder}-next`)
          assert.deepStrictEqual(yield* next.counts, { documents: 0, chunks: 0, vectors: 4, outbox: 0 })
          const wanted = entry.vectors.map(({ textHash }) => textHash)
          assert.deepStrictEqual(
            yield* next.cachedVectors("model", "document", wanted),
            yield* catalog.cachedVectors("model", "document", wanted)
          )
          assert.deepStrictEqual(yield* next.runs(10), [run("a", 1)])
          assert.deepStrictEqual(yield* next.getMeta("key"), Option.none())
        })
      )
    }))

  test("gives the right to write to one at a time", (_, folder) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* provider.lock(folder, "the first")
          const error = yield* Effect.flip(Effect.scoped(provider.lock(folder, "the second")))
          assert.strictEqual(error._tag, "IndexLocked")
          assert.include(error.message, "the first")
        })
      )
      yield* Effect.scoped(provider.lock(folder, "the third"))
    }))
}
