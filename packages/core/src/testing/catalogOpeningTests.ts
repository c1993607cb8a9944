import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { chunkAnalysis as analysis } from "../language/ChunkAnalysis.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import { type CatalogTest, nextOf } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"

/** Opening and closing the catalogs of generations. */
export const catalogOpeningTests = (test: CatalogTest): void => {
  test("is there again after it was closed, and readable beside its writer", (catalog, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const entry = documentEntry({ chunks: ["alpha"] })
      yield* catalog.documents.replace(entry)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const reader = yield* provider.open(generation, { analysis, readOnly: true })
          assert.deepStrictEqual(yield* reader.chunks.ofDocument(entry.document.id), entry.chunks)
          yield* catalog.documents.replace(documentEntry({ path: "new.md", chunks: ["bravo"] }))
          assert.deepStrictEqual(yield* reader.documents.count(), { documents: 2, chunks: 2 })
          const error = yield* Effect.flip(reader.facts.set("a", "b"))
          assert.strictEqual(error._tag, "CatalogError")
        })
      )
    }))

  test("fails with a typed error after it was closed", (_, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const closed = yield* Effect.scoped(provider.open(nextOf(generation), { analysis }))
      assert.strictEqual((yield* Effect.flip(closed.documents.count()))._tag, "CatalogError")
    }))

  test("keeps the generations of an index apart, and two indexes too", (catalog, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      yield* catalog.facts.set("key", "value")
      for (const other of [nextOf(generation), { ...generation, index: `${generation.index}0` }]) {
        const { facts } = yield* provider.open(other, { analysis })
        assert.deepStrictEqual(yield* facts.get("key"), Option.none())
      }
    }).pipe(Effect.scoped))

  test("is not made by a reader", (_, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const missing = provider.open(nextOf(generation), { analysis, readOnly: true })
      for (const attempt of ["first", "second"])
        assert.strictEqual((yield* Effect.flip(Effect.scoped(missing)))._tag, "IndexCorrupt", attempt)
    }))
}
