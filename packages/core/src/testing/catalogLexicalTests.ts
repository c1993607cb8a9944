import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { equals, exists } from "../domain/Filter.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"

const filler = Array.from({ length: 20 }, (_, index) => `filler${index} padding`)

/** BM25 over the terms of headings and text. */
export const catalogLexicalTests = (test: CatalogTest): void => {
  test("finds chunks by their terms, better ones first, with scores above 0", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({
        chunks: ["zebra", "zebra zebra zebra", "zebra and a lot of other words", ...filler]
      })
      yield* catalog.replaceDocument(entry)
      const hits = yield* catalog.lexical({ terms: ["zebra"], limit: 10 })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        [1, 0, 2].map((index) => entry.chunks[index]?.id)
      )
      assert.isTrue(hits.every((hit) => hit.score > 0))
      assert.deepStrictEqual(yield* catalog.lexical({ terms: ["unheard"], limit: 10 }), [])
      assert.deepStrictEqual(yield* catalog.lexical({ terms: [], limit: 10 }), [])
      assert.deepStrictEqual(yield* catalog.lexical({ terms: [""], limit: 10 }), [])
    }))

  test("leaves out terms that most chunks of a large index hold, unless they are asked for", (catalog) =>
    Effect.gen(function* () {
      const chunks = Array.from(
        { length: 1100 },
        (_, index) => `common ${index < 600 ? "frequent" : "seldom"}${index}`
      )
      yield* catalog.replaceDocument(documentEntry({ chunks: [...chunks, "zebra"], vectors: false }))
      const terms = ["zebra", "common"]
      assert.lengthOf(yield* catalog.lexical({ terms, limit: 2000 }), 1)
      assert.lengthOf(yield* catalog.lexical({ terms, limit: 2000, common: true }), 1101)
    }))

  test("counts a term as often as it is given", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(documentEntry({ chunks: ["zebra lion", "lion", ...filler] }))
      const [once] = yield* catalog.lexical({ terms: ["zebra"], limit: 1 })
      const [twice] = yield* catalog.lexical({ terms: ["zebra", "zebra"], limit: 1 })
      assert(once !== undefined && twice !== undefined)
      assert.strictEqual(twice.id, once.id)
      assert.approximately(twice.score, 2 * once.score, 1e-9)
    }))

  test("weights headings and the title, and counts the breadcrumb of the text once", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({
        title: "Manual",
        chunks: [
          { text: "zebra here", headings: ["Something"] },
          { text: "lion here", headings: ["Zebra"] },
          ...filler
        ]
      })
      yield* catalog.replaceDocument(entry)
      const hits = yield* catalog.lexical({ terms: ["zebra"], limit: 10 })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        [entry.chunks[1]?.id, entry.chunks[0]?.id]
      )
      assert.lengthOf(yield* catalog.lexical({ terms: ["manual"], limit: 100 }), entry.chunks.length)
    }))

  test("follows a title that changes while the chunks stay", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(documentEntry({ title: "Zebra", chunks: ["text"] }))
      const sequence = (yield* catalog.outbox("model", 10)).map((item) => item.sequence)
      yield* catalog.replaceDocument(documentEntry({ title: "Lion", chunks: ["text"] }))
      assert.lengthOf(yield* catalog.lexical({ terms: ["zebra"], limit: 10 }), 0)
      assert.lengthOf(yield* catalog.lexical({ terms: ["lion"], limit: 10 }), 1)
      assert.deepStrictEqual(
        (yield* catalog.outbox("model", 10)).map((item) => item.sequence),
        sequence
      )
    }))

  test("filters before the limit", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(
        documentEntry({ source: "a", chunks: Array.from({ length: 1000 }, (_, n) => `zebra number${n}`) })
      )
      const far = documentEntry({
        source: "b",
        chunks: [1, 2, 3].map((n) => `zebra ${"and much else ".repeat(n * 10)}`)
      })
      yield* catalog.replaceDocument(far)
      const hits = yield* catalog.lexical({ terms: ["zebra"], limit: 3, where: equals("repo", "b") })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        far.chunks.map((chunk) => chunk.id)
      )
      const all = yield* catalog.lexical({ terms: ["zebra"], limit: 10_000 })
      assert.deepStrictEqual(
        all.filter((hit) => hits.some(({ id }) => id === hit.id)),
        hits,
        "a filter does not change scores"
      )
    }))

  test("breaks ties by the id, also at the limit", (catalog) =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 9 }, (_, n) =>
        documentEntry({ path: `${n}.md`, chunks: ["zebra"] })
      )
      yield* Effect.forEach(entries, catalog.replaceDocument)
      const ids = entries.flatMap((entry) => entry.chunks.map((chunk) => chunk.id)).toSorted()
      for (const limit of [1, 4, 8, 9, 20]) {
        const hits = yield* catalog.lexical({ terms: ["zebra"], limit })
        assert.deepStrictEqual(
          hits.map((hit) => hit.id),
          ids.slice(0, limit)
        )
      }
    }))

  test("scores as if the index had been built in one go", (catalog, folder) =>
    Effect.gen(function* () {
      const final = documentEntry({
        path: "kept.md",
        chunks: ["zebra lion", "lion lion tiger", "tiger", "ant bee"]
      })
      for (let round = 0; round < 5; round++) {
        const chunks = Array.from({ length: 20 }, (_, n) => `zebra round${round} number${n}`)
        yield* catalog.replaceDocument(documentEntry({ path: "kept.md", chunks }))
        yield* catalog.replaceDocument(documentEntry({ path: "gone.md", chunks }))
      }
      yield* catalog.replaceDocument(final)
      yield* catalog.deleteDocuments(["repo/gone.md"])
      const hits = yield* catalog.lexical({ terms: ["zebra", "tiger"], limit: 10 })
      const provider = yield* CatalogProvider
      const fresh = yield* Effect.scoped(
        Effect.gen(function* () {
          const clean = yield* provider.open(`${folder}-fresh`)
          yield* clean.replaceDocument(final)
          return yield* clean.lexical({ terms: ["zebra", "tiger"], limit: 10 })
        })
      )
      assert.lengthOf(hits, 3)
      assert.deepStrictEqual(hits, fresh)
    }))

  test("takes nothing in a term for syntax", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(documentEntry({ chunks: ["zebra", "near or not and", ...filler] }))
      const terms = [
        '"',
        'zebra"',
        "*",
        "zeb*",
        "^zebra",
        "NEAR(zebra padding)",
        "body:zebra",
        "(",
        "-zebra",
        "\0",
        "a\0b",
        "\ud800",
        " ",
        "zebra padding",
        "'"
      ]
      for (const term of terms)
        assert.deepStrictEqual(yield* catalog.lexical({ terms: [term], limit: 10 }), [], JSON.stringify(term))
      for (const term of ["zebra", "near", "or", "not", "and"])
        assert.lengthOf(yield* catalog.lexical({ terms: [...terms, term], limit: 10 }), 1, term)
    }))

  test("bears terms without number and length", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(documentEntry({ chunks: ["zebra", ...filler] }))
      const many = ["zebra", ...Array.from({ length: 10_000 }, (_, index) => `term${index}`)]
      assert.lengthOf(yield* catalog.lexical({ terms: many, limit: 10 }), 1)
      assert.lengthOf(yield* catalog.lexical({ terms: ["x".repeat(100_000), "zebra"], limit: 10 }), 1)
    }))

  test("refuses a limit out of bounds and a filter on an unknown field", (catalog) =>
    Effect.gen(function* () {
      for (const limit of [0, -1, 0.5, Number.NaN, 10_001]) {
        const error = yield* Effect.flip(catalog.lexical({ terms: ["a"], limit }))
        assert.strictEqual(error._tag, "InvalidInput")
      }
      for (const where of [exists("colour"), equals("path'", "x")]) {
        const error = yield* Effect.flip(catalog.lexical({ terms: ["a"], limit: 1, where }))
        assert.strictEqual(error._tag, "InvalidInput")
      }
    }))

  test("counts in how many chunks a term occurs, after removals too", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(
        documentEntry({ path: "a.md", chunks: ["zebra zebra", "zebra lion", "ant"] })
      )
      yield* catalog.replaceDocument(documentEntry({ path: "b.md", chunks: ["zebra", "bee"] }))
      assert.deepStrictEqual(yield* catalog.documentFrequencies(["zebra", "lion", "none", 'x"\0']), {
        chunks: 5,
        frequencies: new Map([
          ["zebra", 3],
          ["lion", 1],
          ["none", 0],
          ['x"\0', 0]
        ])
      })
      yield* catalog.deleteDocuments(["repo/b.md"])
      assert.deepStrictEqual(yield* catalog.documentFrequencies(["zebra"]), {
        chunks: 3,
        frequencies: new Map([["zebra", 2]])
      })
    }))
}
