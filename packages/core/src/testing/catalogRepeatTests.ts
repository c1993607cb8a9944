import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { equals } from "../domain/Filter.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"

const never = () => false

/** Texts that one source holds several times. */
export const catalogRepeatTests = (test: CatalogTest): void => {
  const first = documentEntry({ path: "one/a.md", chunks: ["shared", "alpha"] })
  const second = documentEntry({ path: "two/b.md", chunks: ["beta", "shared"] })
  const elsewhere = documentEntry({ source: "other", path: "c.md", chunks: ["shared"] })
  const [sharedInFirst, alpha] = first.chunks
  const [, sharedInSecond] = second.chunks
  const [sharedElsewhere] = elsewhere.chunks
  assert(sharedInFirst !== undefined && alpha !== undefined)
  assert(sharedInSecond !== undefined && sharedElsewhere !== undefined)

  test("gives chunks of one source with the same text the same key", (catalog) =>
    Effect.gen(function* () {
      for (const entry of [first, second, elsewhere]) yield* catalog.documents.replace(entry)
      const ids = [sharedInFirst, sharedInSecond, sharedElsewhere, alpha].map(({ id }) => id)
      const keys = yield* catalog.chunks.textKeys([...ids, "unknown"])
      assert.deepStrictEqual([...keys.keys()].toSorted(), ids.toSorted())
      assert.strictEqual(keys.get(sharedInFirst.id), keys.get(sharedInSecond.id))
      assert.strictEqual(new Set(keys.values()).size, 3)
      assert.strictEqual((yield* catalog.chunks.textKeys([])).size, 0)
    }))

  test("counts the other places of a text and lists the first, as far as the filter allows", (catalog) =>
    Effect.gen(function* () {
      const third = documentEntry({ path: "two/c.md", chunks: ["shared", "shared"] })
      for (const entry of [first, second, third, elsewhere]) yield* catalog.documents.replace(entry)
      const place = {
        chunkId: sharedInSecond.id,
        documentId: "repo/two/b.md",
        path: "two/b.md",
        startLine: 3,
        endLine: 3
      }
      const { id } = sharedInFirst
      const copies = yield* catalog.chunks.copiesOf([id, alpha.id, sharedElsewhere.id, "unknown"], {
        limit: 1
      })
      assert.deepStrictEqual(copies.get(id), { total: 3, places: [place] })
      for (const lonely of [alpha.id, sharedElsewhere.id, "unknown"])
        assert.deepStrictEqual(copies.get(lonely) ?? { total: 0, places: [] }, { total: 0, places: [] })
      const filtered = yield* catalog.chunks.copiesOf([id], { limit: 9, where: equals("path", "two/b.md") })
      assert.deepStrictEqual(filtered.get(id), { total: 1, places: [place] })
      const none = yield* catalog.chunks.copiesOf([id], { limit: 9, where: equals("bundle", "one") })
      assert.deepStrictEqual(none.get(id), { total: 0, places: [] })
    }))

  test("counts the new chunks whose text the source has already", (catalog) =>
    Effect.gen(function* () {
      const count = catalog.chunks.countRepeats
      assert.strictEqual(yield* count(first, never), 0)
      yield* catalog.documents.replace(first)
      assert.strictEqual(yield* count(first, never), 0)
      assert.strictEqual(yield* count(second, never), 1)
      // what is about to go does not count, and neither does another source
      assert.strictEqual(yield* count(second, (id) => id === first.document.id), 0)
      assert.strictEqual(yield* count(elsewhere, never), 0)
      // in one document the second is the repeat, whether the first is new or not
      assert.strictEqual(yield* count(documentEntry({ path: "n.md", chunks: ["twice", "twice"] }), never), 1)
      const grown = documentEntry({ path: "one/a.md", chunks: ["shared", "alpha", "alpha", "gamma"] })
      assert.strictEqual(yield* count(grown, never), 1)
    }))
}
