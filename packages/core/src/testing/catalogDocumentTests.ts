import { assert } from "@effect/vitest"
import { Effect, Option, Stream } from "effect"
import { and, compare, equals, exists } from "../domain/Filter.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"

/** Writing and reading documents and chunks. */
export const catalogDocumentTests = (test: CatalogTest): void => {
  test("gives back what was written", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({
        path: "guide/naïve 😀.md",
        title: "Titel",
        revision: "abc",
        metadata: { tags: ["x", ""], draft: true, weight: 0.1 + 0.2, name: 'it\'s "so"' },
        chunks: [
          {
            text: "first 日本語 \0 text\r\n",
            headings: ["A", "B\nb"],
            page: 2,
            intent: "table",
            confidence: 0.3
          },
          "second 😀"
        ]
      })
      const { document } = entry
      assert.deepStrictEqual(yield* catalog.replaceDocument(entry), { added: 2, unchanged: 0, removed: 0 })
      const record = Option.getOrThrow(yield* catalog.document(document.id))
      assert.isTrue(Number.isSafeInteger(record.indexedAt))
      assert.deepStrictEqual(record, {
        id: document.id,
        source: "repo",
        path: "guide/naïve 😀.md",
        bundle: "guide",
        mediaType: "text/markdown",
        title: "Titel",
        contentHash: document.contentHash,
        metadata: document.metadata,
        revision: "abc",
        chunks: 2,
        length: document.text.length,
        indexedAt: record.indexedAt
      })
      assert.deepStrictEqual(yield* catalog.text(document.id), Option.some(document.text))
      assert.deepStrictEqual(yield* catalog.chunksOf(document.id), entry.chunks)
      const [first] = entry.chunks
      assert(first !== undefined)
      assert.deepStrictEqual(Option.getOrThrow(yield* catalog.chunk(first.id)), {
        chunk: first,
        title: "Titel",
        fields: {
          documentId: document.id,
          repo: "repo",
          bundle: "guide",
          path: "guide/naïve 😀.md",
          mediaType: "text/markdown",
          intent: "table",
          page: 2,
          confidence: 0.3,
          metadata: document.metadata
        }
      })
    }))

  test("knows nothing of what is not there", (catalog) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* catalog.document("no"), Option.none())
      assert.deepStrictEqual(yield* catalog.text("no"), Option.none())
      assert.deepStrictEqual(yield* catalog.chunk("no"), Option.none())
      assert.deepStrictEqual(yield* catalog.chunksOf("no"), [])
      assert.deepStrictEqual(yield* catalog.chunks(["no"]), [])
      assert.deepStrictEqual(yield* catalog.documents({ first: 10 }), { documents: [], next: null, total: 0 })
      assert.deepStrictEqual(yield* catalog.sources, [])
      assert.deepStrictEqual(yield* catalog.counts, { documents: 0, chunks: 0, vectors: 0, outbox: 0 })
      assert.isTrue(yield* catalog.isEmpty)
      assert.strictEqual(yield* catalog.deleteDocuments(["no"]), 0)
      const error = yield* Effect.flip(
        catalog.touchFile("no", { path: "no", size: 1, modifiedAt: 1, contentHash: "x" })
      )
      assert.strictEqual(error._tag, "CatalogError")
    }))

  test("replaces an edited document: kept chunks move, gone ones vanish", (catalog) =>
    Effect.gen(function* () {
      const before = documentEntry({ chunks: ["alpha", "bravo", "charlie"] })
      const after = documentEntry({ chunks: ["delta", "charlie", "alpha"] })
      yield* catalog.replaceDocument(before)
      assert.deepStrictEqual(yield* catalog.replaceDocument(after), { added: 1, unchanged: 2, removed: 1 })
      assert.deepStrictEqual(yield* catalog.chunksOf(after.document.id), after.chunks)
      assert.deepStrictEqual(yield* catalog.text(after.document.id), Option.some(after.document.text))
      assert.deepStrictEqual(yield* catalog.replaceDocument(after), { added: 0, unchanged: 3, removed: 0 })
      assert.isFalse(yield* catalog.isEmpty)
      const empty = documentEntry({ chunks: [] })
      assert.deepStrictEqual(yield* catalog.replaceDocument(empty), { added: 0, unchanged: 0, removed: 3 })
      assert.deepStrictEqual((yield* catalog.counts).documents, 1)
      assert.deepStrictEqual(yield* catalog.chunkIds, [])
      assert.isTrue(yield* catalog.isEmpty)
    }))

  test("leaves the old version wholly in place when the new one cannot be written", (catalog) =>
    Effect.gen(function* () {
      const before = documentEntry({ title: "Old", chunks: ["alpha", "bravo"] })
      yield* catalog.replaceDocument(before)
      const counts = yield* catalog.counts
      const after = documentEntry({ title: "New", metadata: { a: 1 }, chunks: ["charlie", "delta"] })
      const [charlie] = after.chunks
      assert(charlie !== undefined)
      const error = yield* Effect.flip(
        catalog.replaceDocument({ ...after, chunks: [...after.chunks, charlie] })
      )
      assert.strictEqual(error._tag, "CatalogError")
      assert.deepStrictEqual(yield* catalog.counts, counts)
      assert.deepStrictEqual(yield* catalog.chunksOf(before.document.id), before.chunks)
      assert.deepStrictEqual(yield* catalog.text(before.document.id), Option.some(before.document.text))
      assert.strictEqual(Option.getOrThrow(yield* catalog.document(before.document.id)).title, "Old")
      assert.lengthOf(yield* catalog.lexical({ terms: ["alpha"], limit: 10 }), 1)
      assert.lengthOf(yield* catalog.lexical({ terms: ["charli"], limit: 10 }), 0)
      assert.deepStrictEqual(yield* catalog.replaceDocument(after), { added: 2, unchanged: 0, removed: 2 })
    }))

  test("removes documents with all that belongs to them", (catalog) =>
    Effect.gen(function* () {
      const one = documentEntry({ path: "one.md", chunks: ["alpha"] })
      const two = documentEntry({ path: "two.md", chunks: ["alpha", "bravo"] })
      yield* Effect.forEach([one, two], catalog.replaceDocument)
      assert.strictEqual(yield* catalog.deleteDocuments([two.document.id, "no", two.document.id]), 1)
      assert.deepStrictEqual(yield* catalog.document(two.document.id), Option.none())
      assert.deepStrictEqual(yield* catalog.text(two.document.id), Option.none())
      assert.deepStrictEqual(
        yield* catalog.chunkIds,
        one.chunks.map((chunk) => chunk.id)
      )
      assert.lengthOf(yield* catalog.lexical({ terms: ["alpha", "bravo"], limit: 10 }), 1)
    }))

  test("knows the files of each source and their new times", (catalog) =>
    Effect.gen(function* () {
      const one = documentEntry({ path: "one.md", chunks: ["a"] })
      const other = documentEntry({ source: "other", path: "one.md", chunks: ["a"] })
      yield* Effect.forEach([one, other], catalog.replaceDocument)
      assert.deepStrictEqual(yield* catalog.fileStates("repo"), new Map([["one.md", one.file]]))
      const touched = { ...one.file, modifiedAt: 1_700_000_000_001.5 }
      yield* catalog.touchFile(one.document.id, touched)
      assert.deepStrictEqual(yield* catalog.fileStates("repo"), new Map([["one.md", touched]]))
      assert.deepStrictEqual(yield* catalog.fileStates("other"), new Map([["one.md", other.file]]))
      assert.deepStrictEqual(yield* catalog.fileStates("none"), new Map())
    }))

  test("pages through documents in the order of their ids", (catalog) =>
    Effect.gen(function* () {
      const paths = ["b.md", "a/z.md", "a-b.md", "c/a.md", "B.md"]
      yield* Effect.forEach(paths, (path) =>
        catalog.replaceDocument(documentEntry({ path, chunks: [path], metadata: { upper: path === "B.md" } }))
      )
      const sorted = paths.map((path) => `repo/${path}`).toSorted()
      const seen: Array<string> = []
      let after: string | undefined
      do {
        const page = yield* catalog.documents({ first: 2, after })
        assert.strictEqual(page.total, 5)
        seen.push(...page.documents.map((document) => document.id))
        after = page.next ?? undefined
      } while (after !== undefined)
      assert.deepStrictEqual(seen, sorted)
      const filtered = yield* catalog.documents({
        first: 1,
        where: and(compare("path", "glob", "*.md"), equals("metadata.upper", false))
      })
      assert.deepStrictEqual(
        [filtered.documents.map((document) => document.id), filtered.next, filtered.total],
        [["repo/a-b.md"], "repo/a-b.md", 2]
      )
      assert.deepStrictEqual(yield* catalog.documents({ first: 0 }), { documents: [], next: null, total: 5 })
    }))

  test("refuses what cannot be asked of documents", (catalog) =>
    Effect.gen(function* () {
      for (const where of [exists("page"), exists("intent"), exists("confidence"), exists("colour")])
        assert.strictEqual((yield* Effect.flip(catalog.documents({ first: 1, where })))._tag, "InvalidInput")
      for (const first of [-1, 0.5, Number.NaN, 1e9])
        assert.strictEqual((yield* Effect.flip(catalog.documents({ first })))._tag, "InvalidInput")
    }))

  test("finds many chunks by their ids, in the order asked for", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({ chunks: Array.from({ length: 1201 }, (_, index) => `text ${index}`) })
      yield* catalog.replaceDocument(entry)
      const ids = entry.chunks.map((chunk) => chunk.id).toReversed()
      const found = yield* catalog.chunks(["unknown", ...ids, "'\"\0"])
      assert.deepStrictEqual(
        found.map(({ chunk }) => chunk.id),
        ids
      )
      assert.deepStrictEqual(yield* catalog.chunkIds, ids.toSorted())
    }))

  test("streams every text in the order of documents, whatever their history", (catalog) =>
    Effect.gen(function* () {
      const large = documentEntry({
        path: "b.md",
        chunks: Array.from({ length: 1001 }, (_, index) => `text ${index}`)
      })
      yield* catalog.replaceDocument(documentEntry({ path: "c.md", chunks: ["last"] }))
      yield* catalog.replaceDocument(documentEntry({ path: "b.md", chunks: ["text 7", "text 3"] }))
      yield* catalog.replaceDocument(documentEntry({ path: "a.md", chunks: ["first"] }))
      yield* catalog.replaceDocument(large)
      const texts = yield* Stream.runCollect(catalog.texts)
      assert.deepStrictEqual(
        texts.map(({ text }) => text),
        ["first", ...large.chunks.map((chunk) => chunk.text), "last"]
      )
      assert.strictEqual(texts[1]?.chunkId, large.chunks[0]?.id)
    }))

  test("sums up sources", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.replaceDocument(
        documentEntry({ source: "b", path: "1.md", chunks: ["x", "y"], revision: "r1" })
      )
      yield* catalog.replaceDocument(
        documentEntry({ source: "b", path: "2.md", chunks: ["x"], revision: "r1" })
      )
      yield* catalog.replaceDocument(documentEntry({ source: "a", path: "1.md", chunks: [] }))
      assert.deepStrictEqual(yield* catalog.sources, [
        { name: "a", documents: 1, chunks: 0, revision: null },
        { name: "b", documents: 2, chunks: 3, revision: "r1" }
      ])
      assert.deepStrictEqual(yield* catalog.counts, { documents: 3, chunks: 3, vectors: 2, outbox: 3 })
    }))
}
