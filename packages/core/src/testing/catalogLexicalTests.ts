import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { equals, exists } from "../domain/Filter.ts"
import { chunkAnalysis, type ChunkAnalysis } from "../language/ChunkAnalysis.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { LexicalIndex } from "../ports/catalog/LexicalIndex.ts"
import { type CatalogTest, nextOf } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"
import { catalogFilterTests } from "./catalogFilterTests.ts"
import { lexicalOf } from "./catalogReads.ts"

const filler = Array.from({ length: 20 }, (_, index) => `filler${index} padding`)

/** BM25 over the terms of headings and text. */
export const catalogLexicalTests = (test: CatalogTest): void => {
  test("finds chunks by their terms, better ones first, with scores above 0", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({
        chunks: ["zebra", "zebra zebra zebra", "zebra and a lot of other words", ...filler]
      })
      yield* catalog.documents.replace(entry)
      const hits = yield* lexicalOf(catalog).search({ terms: ["zebra"], limit: 10 })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        [1, 0, 2].map((index) => entry.chunks[index]?.id)
      )
      assert.isTrue(hits.every((hit) => hit.score > 0))
      assert.deepStrictEqual(yield* lexicalOf(catalog).search({ terms: ["unheard"], limit: 10 }), [])
      assert.deepStrictEqual(yield* lexicalOf(catalog).search({ terms: [], limit: 10 }), [])
      assert.deepStrictEqual(yield* lexicalOf(catalog).search({ terms: [""], limit: 10 }), [])
    }))

  test("leaves out terms that most chunks of a large index hold, unless they are asked for", (catalog) =>
    Effect.gen(function* () {
      const chunks = Array.from(
        { length: 1100 },
        (_, index) => `common ${index < 600 ? "frequent" : "seldom"}${index}`
      )
      yield* catalog.documents.replace(documentEntry({ chunks: [...chunks, "zebra"], vectors: false }))
      const terms = ["zebra", "common"]
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms, limit: 2000 }), 1)
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms, limit: 2000, common: true }), 1101)
    }))

  test("counts a term as often as it is given", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(documentEntry({ chunks: ["zebra lion", "lion", ...filler] }))
      const [once] = yield* lexicalOf(catalog).search({ terms: ["zebra"], limit: 1 })
      const [twice] = yield* lexicalOf(catalog).search({ terms: ["zebra", "zebra"], limit: 1 })
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
      yield* catalog.documents.replace(entry)
      const hits = yield* lexicalOf(catalog).search({ terms: ["zebra"], limit: 10 })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        [entry.chunks[1]?.id, entry.chunks[0]?.id]
      )
      assert.lengthOf(
        yield* lexicalOf(catalog).search({ terms: ["manual"], limit: 100 }),
        entry.chunks.length
      )
    }))

  test("follows a title that changes while the chunks stay", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(documentEntry({ title: "Zebra", chunks: ["text"] }))
      const sequence = (yield* catalog.outbox.pending("model", 10)).map((item) => item.sequence)
      yield* catalog.documents.replace(documentEntry({ title: "Lion", chunks: ["text"] }))
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms: ["zebra"], limit: 10 }), 0)
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms: ["lion"], limit: 10 }), 1)
      assert.deepStrictEqual(
        (yield* catalog.outbox.pending("model", 10)).map((item) => item.sequence),
        sequence
      )
    }))

  test("filters before the limit", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(
        documentEntry({ source: "a", chunks: Array.from({ length: 1000 }, (_, n) => `zebra number${n}`) })
      )
      const far = documentEntry({
        source: "b",
        chunks: [1, 2, 3].map((n) => `zebra ${"and much else ".repeat(n * 10)}`)
      })
      yield* catalog.documents.replace(far)
      const hits = yield* lexicalOf(catalog).search({
        terms: ["zebra"],
        limit: 3,
        where: equals("repo", "b")
      })
      assert.deepStrictEqual(
        hits.map((hit) => hit.id),
        far.chunks.map((chunk) => chunk.id)
      )
      const all = yield* lexicalOf(catalog).search({ terms: ["zebra"], limit: 10_000 })
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
      yield* Effect.forEach(entries, catalog.documents.replace)
      const ids = entries.flatMap((entry) => entry.chunks.map((chunk) => chunk.id)).toSorted()
      for (const limit of [1, 4, 8, 9, 20]) {
        const hits = yield* lexicalOf(catalog).search({ terms: ["zebra"], limit })
        assert.deepStrictEqual(
          hits.map((hit) => hit.id),
          ids.slice(0, limit)
        )
      }
    }))

  test("scores as if the index had been built in one go", (catalog, generation) =>
    Effect.gen(function* () {
      const final = documentEntry({
        path: "kept.md",
        chunks: ["zebra lion", "lion lion tiger", "tiger", "ant bee"]
      })
      for (let round = 0; round < 5; round++) {
        const chunks = Array.from({ length: 20 }, (_, n) => `zebra round${round} number${n}`)
        yield* catalog.documents.replace(documentEntry({ path: "kept.md", chunks }))
        yield* catalog.documents.replace(documentEntry({ path: "gone.md", chunks }))
      }
      yield* catalog.documents.replace(final)
      yield* catalog.documents.remove(["repo/gone.md"])
      const hits = yield* lexicalOf(catalog).search({ terms: ["zebra", "tiger"], limit: 10 })
      const provider = yield* CatalogProvider
      const fresh = yield* Effect.scoped(
        Effect.gen(function* () {
          const clean = yield* provider.open(nextOf(generation), { analysis: chunkAnalysis })
          yield* clean.documents.replace(final)
          return yield* lexicalOf(clean).search({ terms: ["zebra", "tiger"], limit: 10 })
        })
      )
      assert.lengthOf(hits, 3)
      assert.deepStrictEqual(hits, fresh)
    }))

  test("takes nothing in a term for syntax", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(documentEntry({ chunks: ["zebra", "near or not and", ...filler] }))
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
        assert.deepStrictEqual(
          yield* lexicalOf(catalog).search({ terms: [term], limit: 10 }),
          [],
          JSON.stringify(term)
        )
      for (const term of ["zebra", "near", "or", "not", "and"])
        assert.lengthOf(yield* lexicalOf(catalog).search({ terms: [...terms, term], limit: 10 }), 1, term)
    }))

  test("bears terms without number and length", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(documentEntry({ chunks: ["zebra", ...filler] }))
      const many = ["zebra", ...Array.from({ length: 10_000 }, (_, index) => `term${index}`)]
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms: many, limit: 10 }), 1)
      assert.lengthOf(
        yield* lexicalOf(catalog).search({ terms: ["x".repeat(100_000), "zebra"], limit: 10 }),
        1
      )
    }))

  test("refuses a limit out of bounds and a filter on an unknown field", (catalog) =>
    Effect.gen(function* () {
      for (const limit of [0, -1, 0.5, Number.NaN, 10_001]) {
        const error = yield* Effect.flip(lexicalOf(catalog).search({ terms: ["a"], limit }))
        assert.strictEqual(error._tag, "InvalidInput")
      }
      for (const where of [exists("colour"), equals("path'", "x")]) {
        const error = yield* Effect.flip(lexicalOf(catalog).search({ terms: ["a"], limit: 1, where }))
        assert.strictEqual(error._tag, "InvalidInput")
      }
    }))

  test("counts in how many chunks a term occurs, after removals too", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(
        documentEntry({ path: "a.md", chunks: ["zebra zebra", "zebra lion", "ant"] })
      )
      yield* catalog.documents.replace(documentEntry({ path: "b.md", chunks: ["zebra", "bee"] }))
      assert.deepStrictEqual(yield* lexicalOf(catalog).statistics(["zebra", "lion", "none", 'x"\0']), {
        chunks: 5,
        frequencies: new Map([
          ["zebra", 3],
          ["lion", 1],
          ["none", 0],
          ['x"\0', 0]
        ])
      })
      yield* catalog.documents.remove(["repo/b.md"])
      assert.deepStrictEqual(yield* lexicalOf(catalog).statistics(["zebra"]), {
        chunks: 3,
        frequencies: new Map([["zebra", 2]])
      })
    }))

  test("finds what it did before when a document cannot be replaced", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(documentEntry({ title: "Old", chunks: ["alpha", "bravo"] }))
      const after = documentEntry({ title: "New", chunks: ["charlie", "delta"] })
      const [charlie] = after.chunks
      assert(charlie !== undefined)
      yield* Effect.flip(catalog.documents.replace({ ...after, chunks: [...after.chunks, charlie] }))
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms: ["alpha"], limit: 10 }), 1)
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms: ["charli"], limit: 10 }), 0)
    }))

  test("finds nothing of a document that was removed", (catalog) =>
    Effect.gen(function* () {
      const two = documentEntry({ path: "two.md", chunks: ["alpha", "bravo"] })
      yield* catalog.documents.replace(documentEntry({ path: "one.md", chunks: ["alpha"] }))
      yield* catalog.documents.replace(two)
      yield* catalog.documents.remove([two.document.id])
      assert.lengthOf(yield* lexicalOf(catalog).search({ terms: ["alpha", "bravo"], limit: 10 }), 1)
    }))

  test("has the terms that the analysis makes, whatever they are, and made anew for another one", (_, generation) =>
    Effect.gen(function* () {
      const provider = yield* CatalogProvider
      const lengths = (version: string, mark: string): ChunkAnalysis => ({
        version,
        termsOf: (title, { text }) => ({
          heading: [`${mark}title${title.length}`],
          body: text.split(" ").map((word) => `${mark}${word.length}`)
        })
      })
      const own = nextOf(generation)
      const opened = <A, E>(
        analysis: ChunkAnalysis,
        use: (lexical: LexicalIndex, catalog: Catalog) => Effect.Effect<A, E>
      ) =>
        Effect.scoped(
          Effect.flatMap(provider.open(own, { analysis }), (catalog) => use(lexicalOf(catalog), catalog))
        )
      const found = (lexical: LexicalIndex, term: string) =>
        Effect.map(lexical.search({ terms: [term], limit: 10 }), (hits) => hits.length)
      const entries = [1, 2, 3].map((n) =>
        documentEntry({ path: `${n}.md`, title: "Guide", chunks: ["a bb", "ccc"] })
      )
      yield* opened(lengths("first", "x"), (lexical, catalog) =>
        Effect.gen(function* () {
          yield* Effect.forEach(entries, catalog.documents.replace)
          assert.strictEqual(yield* found(lexical, "x2"), 3)
          assert.strictEqual(yield* found(lexical, "xtitle5"), 6)
          assert.strictEqual(yield* found(lexical, "bb"), 0)
          assert.strictEqual(yield* lexical.refresh, 0)
        })
      )
      yield* opened(lengths("second", "y"), (lexical, catalog) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* lexical.refresh, 6)
          assert.strictEqual(yield* lexical.refresh, 0)
          assert.strictEqual(yield* found(lexical, "x2"), 0)
          assert.strictEqual(yield* found(lexical, "y2"), 3)
          assert.deepStrictEqual(
            (yield* lexical.statistics(["y3", "x3"])).frequencies,
            new Map([
              ["y3", 3],
              ["x3", 0]
            ])
          )
          assert.deepStrictEqual(yield* catalog.check, [])
        })
      )
    }))

  catalogFilterTests(test, "the lexical search", (catalog, where) =>
    Effect.map(lexicalOf(catalog).search({ terms: ["zebra"], limit: 1000, where }), (hits) =>
      hits.map(({ id }) => id)
    )
  )
}
