import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { textHash } from "../domain/Chunk.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry, vectorFor } from "./catalogEntries.ts"

const hashes = (texts: ReadonlyArray<string>) => texts.map(textHash)
const cached = (texts: ReadonlyArray<string>) =>
  texts.map((text) => ({ textHash: textHash(text), vector: vectorFor(text) }))

/** The cache of vectors by text. */
export const catalogCacheTests = (test: CatalogTest): void => {
  test("gives back vectors bit by bit, per embedder and role", (catalog) =>
    Effect.gen(function* () {
      // a vector in the middle of a larger buffer, with every odd value
      const whole = Float32Array.of(9, -0, 1e-45, 0.1, 3.4e38, 9)
      const odd = { textHash: textHash("odd"), vector: whole.subarray(1, 5) }
      yield* catalog.cache.put("a", "document", [odd])
      yield* catalog.cache.put("a", "query", cached(["odd"]))
      yield* catalog.cache.put("a", "query", [])
      const found = yield* catalog.cache.get("a", "document", [odd.textHash, textHash("none")])
      assert.deepStrictEqual(found, new Map([[odd.textHash, Float32Array.of(-0, 1e-45, 0.1, 3.4e38)]]))
      assert.deepStrictEqual(
        yield* catalog.cache.get("a", "query", [odd.textHash]),
        new Map([[odd.textHash, vectorFor("odd")]])
      )
      assert.strictEqual((yield* catalog.cache.get("b", "document", [odd.textHash])).size, 0)
    }))

  test("keeps the vectors of a document, and the first of two for a text", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      yield* catalog.documents.replace(entry)
      yield* catalog.cache.put("model", "document", [
        { textHash: textHash("alpha"), vector: Float32Array.of(1, 0, 0, 0) }
      ])
      assert.deepStrictEqual(
        yield* catalog.cache.get("model", "document", hashes(["alpha", "bravo"])),
        new Map(entry.vectors.map(({ textHash: hash, vector }) => [hash, vector]))
      )
    }))

  test("looks up thousands at once", (catalog) =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 2345 }, (_, index) => `text ${index}`)
      yield* catalog.cache.put("a", "document", cached(texts))
      const found = yield* catalog.cache.get("a", "document", hashes(texts))
      assert.strictEqual(found.size, 2345)
      assert.deepStrictEqual(found.get(textHash("text 2344")), vectorFor("text 2344"))
    }))

  test("forgets on request the vectors of texts that are gone, and no others", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(documentEntry({ chunks: ["alpha", "bravo"] }))
      yield* catalog.cache.put("model", "query", cached(["alpha", "question"]))
      yield* catalog.documents.replace(documentEntry({ chunks: ["alpha"] }))
      assert.strictEqual((yield* catalog.cache.get("model", "document", hashes(["bravo"]))).size, 1)
      assert.strictEqual(yield* catalog.cache.prune, 1)
      assert.strictEqual(yield* catalog.cache.prune, 0)
      assert.deepStrictEqual(
        [...(yield* catalog.cache.get("model", "document", hashes(["alpha", "bravo"]))).keys()],
        hashes(["alpha"])
      )
      assert.strictEqual((yield* catalog.cache.get("model", "query", hashes(["alpha", "question"]))).size, 2)
    }))

  test("counts the vectors of all embedders and roles", (catalog) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* catalog.cache.count, 0)
      yield* catalog.cache.put("a", "document", cached(["one", "two"]))
      yield* catalog.cache.put("a", "query", cached(["one"]))
      yield* catalog.cache.put("b", "document", cached(["one", "one"]))
      assert.strictEqual(yield* catalog.cache.count, 4)
    }))
}
