import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { and, compare, equals, exists, isIn } from "../domain/Filter.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"
import { allChunkIds, countsOf } from "./catalogReads.ts"

/** Writing and reading documents, with the chunks, vectors and outbox rows that are written with them. */
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
      assert.deepStrictEqual(yield* catalog.documents.replace(entry), { added: 2, unchanged: 0, removed: 0 })
      const record = Option.getOrThrow(yield* catalog.documents.get(document.id))
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
      assert.deepStrictEqual(yield* catalog.documents.text(document.id), Option.some(document.text))
      assert.deepStrictEqual(yield* catalog.chunks.ofDocument(document.id), entry.chunks)
      const [first] = entry.chunks
      assert(first !== undefined)
      assert.deepStrictEqual(Option.getOrThrow(yield* catalog.chunks.get(first.id)), {
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
      assert.deepStrictEqual(yield* catalog.documents.get("no"), Option.none())
      assert.deepStrictEqual(yield* catalog.documents.text("no"), Option.none())
      assert.deepStrictEqual(yield* catalog.chunks.get("no"), Option.none())
      assert.deepStrictEqual(yield* catalog.chunks.ofDocument("no"), [])
      assert.deepStrictEqual(yield* catalog.chunks.getMany(["no"]), [])
      assert.deepStrictEqual(yield* catalog.documents.list({ first: 10 }), {
        documents: [],
        next: null,
        total: 0
      })
      assert.deepStrictEqual(yield* catalog.documents.sources(), [])
      assert.deepStrictEqual(yield* countsOf(catalog), { documents: 0, chunks: 0, vectors: 0, outbox: 0 })
      assert.isTrue(yield* catalog.chunks.isEmpty)
      assert.strictEqual(yield* catalog.documents.remove(["no"]), 0)
      const error = yield* Effect.flip(
        catalog.documents.touchFile("no", { path: "no", size: 1, modifiedAt: 1, contentHash: "x" })
      )
      assert.strictEqual(error._tag, "CatalogError")
    }))

  test("replaces an edited document: kept chunks move, gone ones vanish", (catalog) =>
    Effect.gen(function* () {
      const before = documentEntry({ chunks: ["alpha", "bravo", "charlie"] })
      const after = documentEntry({ chunks: ["delta", "charlie", "alpha"] })
      yield* catalog.documents.replace(before)
      assert.deepStrictEqual(yield* catalog.documents.replace(after), { added: 1, unchanged: 2, removed: 1 })
      assert.deepStrictEqual(yield* catalog.chunks.ofDocument(after.document.id), after.chunks)
      assert.deepStrictEqual(
        yield* catalog.documents.text(after.document.id),
        Option.some(after.document.text)
      )
      assert.deepStrictEqual(yield* catalog.documents.replace(after), { added: 0, unchanged: 3, removed: 0 })
      assert.isFalse(yield* catalog.chunks.isEmpty)
      const empty = documentEntry({ chunks: [] })
      assert.deepStrictEqual(yield* catalog.documents.replace(empty), { added: 0, unchanged: 0, removed: 3 })
      assert.deepStrictEqual((yield* countsOf(catalog)).documents, 1)
      assert.deepStrictEqual(yield* allChunkIds(catalog), [])
      assert.isTrue(yield* catalog.chunks.isEmpty)
    }))

  test("leaves the old version wholly in place when the new one cannot be written", (catalog) =>
    Effect.gen(function* () {
      const before = documentEntry({ title: "Old", chunks: ["alpha", "bravo"] })
      yield* catalog.documents.replace(before)
      const counts = yield* countsOf(catalog)
      const after = documentEntry({ title: "New", metadata: { a: 1 }, chunks: ["charlie", "delta"] })
      const [charlie] = after.chunks
      assert(charlie !== undefined)
      const error = yield* Effect.flip(
        catalog.documents.replace({ ...after, chunks: [...after.chunks, charlie] })
      )
      assert.strictEqual(error._tag, "CatalogError")
      assert.deepStrictEqual(yield* countsOf(catalog), counts)
      assert.deepStrictEqual(yield* catalog.chunks.ofDocument(before.document.id), before.chunks)
      assert.deepStrictEqual(
        yield* catalog.documents.text(before.document.id),
        Option.some(before.document.text)
      )
      assert.strictEqual(Option.getOrThrow(yield* catalog.documents.get(before.document.id)).title, "Old")
      assert.deepStrictEqual(yield* catalog.documents.replace(after), { added: 2, unchanged: 0, removed: 2 })
    }))

  test("removes documents with all that belongs to them", (catalog) =>
    Effect.gen(function* () {
      const one = documentEntry({ path: "one.md", chunks: ["alpha"] })
      const two = documentEntry({ path: "two.md", chunks: ["alpha", "bravo"] })
      yield* Effect.forEach([one, two], catalog.documents.replace)
      assert.strictEqual(yield* catalog.documents.remove([two.document.id, "no", two.document.id]), 1)
      assert.deepStrictEqual(yield* catalog.documents.get(two.document.id), Option.none())
      assert.deepStrictEqual(yield* catalog.documents.text(two.document.id), Option.none())
      assert.deepStrictEqual(
        yield* allChunkIds(catalog),
        one.chunks.map((chunk) => chunk.id)
      )
    }))

  test("knows the files of each source and their new times", (catalog) =>
    Effect.gen(function* () {
      const one = documentEntry({ path: "one.md", chunks: ["a"] })
      const other = documentEntry({ source: "other", path: "one.md", chunks: ["a"] })
      yield* Effect.forEach([one, other], catalog.documents.replace)
      assert.deepStrictEqual(yield* catalog.documents.fileStates("repo"), new Map([["one.md", one.file]]))
      const touched = { ...one.file, modifiedAt: 1_700_000_000_001.5 }
      yield* catalog.documents.touchFile(one.document.id, touched)
      assert.deepStrictEqual(yield* catalog.documents.fileStates("repo"), new Map([["one.md", touched]]))
      assert.deepStrictEqual(yield* catalog.documents.fileStates("other"), new Map([["one.md", other.file]]))
      assert.deepStrictEqual(yield* catalog.documents.fileStates("none"), new Map())
    }))

  test("pages through documents in the order of their ids", (catalog) =>
    Effect.gen(function* () {
      const paths = ["b.md", "a/z.md", "a-b.md", "c/a.md", "B.md"]
      yield* Effect.forEach(paths, (path) =>
        catalog.documents.replace(
          documentEntry({ path, chunks: [path], metadata: { upper: path === "B.md" } })
        )
      )
      const sorted = paths.map((path) => `repo/${path}`).toSorted()
      const seen: Array<string> = []
      let after: string | undefined
      do {
        const page = yield* catalog.documents.list({ first: 2, after })
        assert.strictEqual(page.total, 5)
        seen.push(...page.documents.map((document) => document.id))
        after = page.next ?? undefined
      } while (after !== undefined)
      assert.deepStrictEqual(seen, sorted)
      const filtered = yield* catalog.documents.list({
        first: 1,
        where: and(compare("path", "glob", "*.md"), equals("metadata.upper", false))
      })
      assert.deepStrictEqual(
        [filtered.documents.map((document) => document.id), filtered.next, filtered.total],
        [["repo/a-b.md"], "repo/a-b.md", 2]
      )
      assert.deepStrictEqual(yield* catalog.documents.list({ first: 0 }), {
        documents: [],
        next: null,
        total: 5
      })
    }))

  test("refuses what cannot be asked of documents", (catalog) =>
    Effect.gen(function* () {
      for (const where of [exists("page"), exists("intent"), exists("confidence"), exists("colour")])
        assert.strictEqual(
          (yield* Effect.flip(catalog.documents.list({ first: 1, where })))._tag,
          "InvalidInput"
        )
      for (const first of [-1, 0.5, Number.NaN, 1e9])
        assert.strictEqual((yield* Effect.flip(catalog.documents.list({ first })))._tag, "InvalidInput")
    }))

  test("sums up sources", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.documents.replace(
        documentEntry({ source: "b", path: "1.md", chunks: ["x", "y"], revision: "r1" })
      )
      yield* catalog.documents.replace(
        documentEntry({ source: "b", path: "2.md", chunks: ["x"], revision: "r1" })
      )
      yield* catalog.documents.replace(documentEntry({ source: "a", path: "1.md", chunks: [] }))
      assert.deepStrictEqual(yield* catalog.documents.sources(), [
        { name: "a", documents: 1, chunks: 0, revision: null },
        { name: "b", documents: 2, chunks: 3, revision: "r1" }
      ])
      assert.deepStrictEqual(yield* countsOf(catalog), { documents: 3, chunks: 3, vectors: 2, outbox: 3 })
    }))

  test("finds many documents by their ids, in the order asked for", (catalog) =>
    Effect.gen(function* () {
      const entries = Array.from({ length: 601 }, (_, n) =>
        documentEntry({ path: `${n}.md`, chunks: [], metadata: { n } })
      )
      yield* Effect.forEach(entries, catalog.documents.replace, { discard: true })
      const ids = entries.map(({ document }) => document.id).toReversed()
      const found = yield* catalog.documents.getMany(["unknown", ...ids, "'\"\0"])
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        ids
      )
      assert.deepStrictEqual(found[0]?.metadata, { n: 600 })
      assert.deepStrictEqual(yield* catalog.documents.getMany([]), [])
    }))

  test("counts, lists and sums up the documents that a filter holds for", (catalog) =>
    Effect.gen(function* () {
      const entries = [
        documentEntry({ source: "a", path: "one.md", chunks: ["x", "y"], metadata: { team: "red" } }),
        documentEntry({ source: "a", path: "two.txt", chunks: ["x"], metadata: { team: "blue" } }),
        documentEntry({ source: "b", path: "one.md", chunks: [], metadata: { team: "red" }, revision: "r" })
      ]
      yield* Effect.forEach(entries, catalog.documents.replace, { discard: true })
      const { count, matching, sources } = catalog.documents
      const red = equals("metadata.team", "red")
      assert.deepStrictEqual(yield* count(red), { documents: 2, chunks: 2 })
      assert.deepStrictEqual(yield* count(compare("path", "glob", "*.md")), { documents: 2, chunks: 2 })
      assert.deepStrictEqual(yield* count(equals("repo", "none")), { documents: 0, chunks: 0 })
      assert.deepStrictEqual([...(yield* matching(red, 9))].toSorted(), ["a/one.md", "b/one.md"])
      const [one] = yield* matching(red, 1)
      assert.include(["a/one.md", "b/one.md"], one)
      assert.deepStrictEqual(yield* matching(red, 0), [])
      assert.deepStrictEqual(yield* matching(equals("repo", "none"), 9), [])
      assert.deepStrictEqual(yield* sources(isIn("metadata.team", ["blue"])), [
        { name: "a", documents: 1, chunks: 1, revision: null }
      ])
      assert.deepStrictEqual(yield* sources(red), [
        { name: "a", documents: 1, chunks: 2, revision: null },
        { name: "b", documents: 1, chunks: 0, revision: "r" }
      ])
      for (const refused of [count(exists("page")), matching(exists("intent"), 1), sources(exists("colour"))])
        assert.strictEqual(
          (yield* Effect.flip<unknown, { readonly _tag: string }, never>(refused))._tag,
          "InvalidInput"
        )
    }))
}
