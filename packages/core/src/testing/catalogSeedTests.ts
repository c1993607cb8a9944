import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { chunkAnalysis as analysis } from "../language/ChunkAnalysis.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import { type CatalogTest, nextOf } from "./CatalogTest.ts"
import { documentEntry, indexRun as run } from "./catalogEntries.ts"
import { countsOf, lexicalOf } from "./catalogReads.ts"

/** Making the catalog of a new generation out of an older one. */
export const catalogSeedTests = (test: CatalogTest): void => {
  test("seeds a new generation with everything but the outbox", (catalog, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      yield* catalog.documents.replace(entry)
      yield* catalog.runs.save(run("a", 1))
      yield* provider.seed(nextOf(generation), { from: generation, documents: true })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const next = yield* provider.open(nextOf(generation), { analysis })
          assert.deepStrictEqual(yield* countsOf(next), { documents: 1, chunks: 2, vectors: 2, outbox: 0 })
          assert.deepStrictEqual(yield* next.chunks.ofDocument(entry.document.id), entry.chunks)
          if (catalog.lexical !== null)
            assert.lengthOf(yield* lexicalOf(next).search({ terms: ["alpha"], limit: 10 }), 1)
          assert.deepStrictEqual(yield* next.runs.latest(10), [run("a", 1)])
          yield* next.documents.remove([entry.document.id])
          assert.deepStrictEqual(yield* next.check, [])
        })
      )
      assert.deepStrictEqual(yield* countsOf(catalog), { documents: 1, chunks: 2, vectors: 2, outbox: 2 })
    }))

  test("seeds a new generation with vectors and runs only", (catalog, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      yield* catalog.documents.replace(entry)
      yield* catalog.cache.put("other", "query", entry.vectors)
      yield* catalog.runs.save(run("a", 1))
      yield* catalog.facts.set("key", "value")
      yield* provider.seed(nextOf(generation), { from: generation, documents: false })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const next = yield* provider.open(nextOf(generation), { analysis })
          assert.deepStrictEqual(yield* countsOf(next), { documents: 0, chunks: 0, vectors: 4, outbox: 0 })
          const wanted = entry.vectors.map(({ textHash }) => textHash)
          assert.deepStrictEqual(
            yield* next.cache.get("model", "document", wanted),
            yield* catalog.cache.get("model", "document", wanted)
          )
          assert.deepStrictEqual(yield* next.runs.latest(10), [run("a", 1)])
          assert.deepStrictEqual(yield* next.facts.get("key"), Option.none())
        })
      )
    }))

  test("fails when there is nothing to seed from, and leaves nothing", (_, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const missing = { ...generation, id: "g-000009" }
      for (const documents of [true, false]) {
        const error = yield* Effect.flip(provider.seed(nextOf(generation), { from: missing, documents }))
        assert.strictEqual(error._tag, "IndexCorrupt")
      }
      const opened = Effect.scoped(provider.open(nextOf(generation), { analysis, readOnly: true }))
      assert.strictEqual((yield* Effect.flip(opened))._tag, "IndexCorrupt")
    }))
}
