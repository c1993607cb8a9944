import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { and, compare, equals, exists } from "../domain/Filter.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"
import { allChunkIds } from "./catalogReads.ts"

/** Reading chunks by id, by filter and as a whole. */
export const catalogChunkTests = (test: CatalogTest): void => {
  test("finds many chunks by their ids, in the order asked for", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({ chunks: Array.from({ length: 1201 }, (_, index) => `text ${index}`) })
      yield* catalog.documents.replace(entry)
      const ids = entry.chunks.map((chunk) => chunk.id).toReversed()
      const found = yield* catalog.chunks.getMany(["unknown", ...ids, "'\"\0"])
      assert.deepStrictEqual(
        found.map(({ chunk }) => chunk.id),
        ids
      )
      assert.deepStrictEqual(yield* allChunkIds(catalog), ids.toSorted())
    }))

  test("streams every text in the order of documents, whatever their history", (catalog) =>
    Effect.gen(function* () {
      const large = documentEntry({
        path: "b.md",
        chunks: Array.from({ length: 1001 }, (_, index) => `text ${index}`)
      })
      yield* catalog.documents.replace(documentEntry({ path: "c.md", chunks: ["last"] }))
      yield* catalog.documents.replace(documentEntry({ path: "b.md", chunks: ["text 7", "text 3"] }))
      yield* catalog.documents.replace(documentEntry({ path: "a.md", chunks: ["first"] }))
      yield* catalog.documents.replace(large)
      const texts = yield* Stream.runCollect(catalog.chunks.texts)
      assert.deepStrictEqual(
        texts.map(({ text }) => text),
        ["first", ...large.chunks.map((chunk) => chunk.text), "last"]
      )
      assert.strictEqual(texts[1]?.chunkId, large.chunks[0]?.id)
    }))

  test("pages through the ids by UTF-16 units, whatever characters they have", (catalog) =>
    Effect.gen(function* () {
      // U+FF01 is before U+1F600 by code points and bytes of UTF-8, and behind it by UTF-16 units
      const ids = ["b", "a", "B", "é", "\uff01", "😀", "a😀", "a\uff01", "ab", "0"]
      const plain = documentEntry({ chunks: ids.map((id) => `text of ${id}`) })
      const chunks = plain.chunks.map((chunk, index) => ({ ...chunk, id: ids[index] ?? "" }))
      yield* catalog.documents.replace({ ...plain, chunks })
      for (const pageSize of [1, 3, 10, 11])
        assert.deepStrictEqual(yield* allChunkIds(catalog, pageSize), ids.toSorted())
      const sortedIds = ids.toSorted()
      const behind = sortedIds[sortedIds.indexOf("\uff01") - 1]
      assert.deepStrictEqual(yield* catalog.chunks.ids({ after: behind, limit: 2 }), ["\uff01"])
      assert.deepStrictEqual(yield* catalog.chunks.ids({ limit: 0 }), [])
      // back to plain ids: the order stays right
      yield* catalog.documents.replace(plain)
      const sorted = plain.chunks.map(({ id }) => id).toSorted()
      assert.deepStrictEqual(yield* allChunkIds(catalog, 3), sorted)
      assert.deepStrictEqual(yield* catalog.chunks.ids({ after: sorted.at(-1), limit: 5 }), [])
    }))

  test("gives the ids of the chunks a filter holds for, up to the limit", (catalog) =>
    Effect.gen(function* () {
      const guide = documentEntry({
        path: "guide.md",
        chunks: [
          { text: "one", page: 1 },
          { text: "two", page: 2 },
          { text: "three", page: 2 }
        ]
      })
      const other = documentEntry({ path: "other.txt", chunks: [{ text: "four", page: 2 }] })
      yield* Effect.forEach([guide, other], catalog.documents.replace, { discard: true })
      const { matching } = catalog.chunks
      const onPage = and(compare("path", "glob", "*.md"), equals("page", 2))
      const expected = guide.chunks.slice(1).map(({ id }) => id)
      assert.deepStrictEqual([...(yield* matching(onPage, 9))].toSorted(), expected.toSorted())
      const [one, ...more] = yield* matching(onPage, 1)
      assert.include(expected, one)
      assert.lengthOf(more, 0)
      assert.deepStrictEqual(yield* matching(onPage, 0), [])
      assert.strictEqual((yield* Effect.flip(matching(exists("colour"), 1)))._tag, "InvalidInput")
    }))
}
