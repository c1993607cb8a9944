import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry, vectorFor } from "./catalogEntries.ts"
import { countsOf } from "./catalogReads.ts"

const pending = (catalog: Catalog) => catalog.outbox.pending("model", 1000)
const drain = (catalog: Catalog) =>
  Effect.flatMap(pending(catalog), (items) => catalog.outbox.confirm(items.map((item) => item.sequence)))
const summary = (catalog: Catalog) =>
  Effect.map(pending(catalog), (items) => items.map((item) => [item._tag, item.chunkId]))

/** The writes the vector store still has to see. */
export const catalogOutboxTests = (test: CatalogTest): void => {
  test("holds a write for each new chunk, oldest first, with its fields and vector", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({
        metadata: { tags: ["x"] },
        chunks: [{ text: "alpha", page: 3, intent: "list", confidence: 0.5 }, "bravo"]
      })
      const [alpha, bravo] = entry.chunks
      assert(alpha !== undefined && bravo !== undefined)
      yield* catalog.documents.replace(entry)
      const items = yield* pending(catalog)
      assert.deepStrictEqual(
        items.map((item) => item.chunkId),
        [alpha.id, bravo.id]
      )
      assert.deepStrictEqual(items[0], {
        _tag: "Upsert",
        sequence: items[0]?.sequence ?? -1,
        chunkId: alpha.id,
        fields: {
          documentId: entry.document.id,
          repo: "repo",
          bundle: "docs",
          path: "docs/guide.md",
          mediaType: "text/markdown",
          intent: "list",
          page: 3,
          confidence: 0.5,
          metadata: { tags: ["x"] }
        },
        vector: vectorFor("alpha")
      })
      assert.deepStrictEqual(yield* catalog.outbox.pending("model", 1), items.slice(0, 1))
      assert.deepStrictEqual(yield* catalog.outbox.pending("model", 0), [])
      assert.deepStrictEqual(
        yield* catalog.outbox.pending("another model", 10),
        [],
        "no vectors of that embedder"
      )
      yield* catalog.outbox.confirm([items[0]?.sequence ?? -1])
      assert.deepStrictEqual(yield* pending(catalog), items.slice(1))
    }))

  test("has a row only for what the vector store must see", (catalog) =>
    Effect.gen(function* () {
      const first = documentEntry({ chunks: ["alpha", "bravo", "charlie"] })
      const [alpha, bravo, charlie] = first.chunks.map((chunk) => chunk.id)
      yield* catalog.documents.replace(first)
      yield* drain(catalog)
      yield* catalog.documents.replace(documentEntry({ chunks: ["charlie", "alpha", "bravo"] }))
      assert.deepStrictEqual(yield* summary(catalog), [], "chunks that only moved")
      yield* catalog.documents.replace(
        documentEntry({ chunks: ["alpha", { text: "bravo", confidence: 0.5 }, "charlie"] })
      )
      assert.deepStrictEqual(yield* summary(catalog), [["Upsert", bravo]], "a field of one chunk")
      yield* drain(catalog)
      yield* catalog.documents.replace(
        documentEntry({ metadata: { a: 1 }, chunks: ["alpha", "bravo", "charlie"] })
      )
      assert.deepStrictEqual(
        yield* summary(catalog),
        [
          ["Upsert", alpha],
          ["Upsert", bravo],
          ["Upsert", charlie]
        ],
        "a field of the document"
      )
      yield* drain(catalog)
      yield* catalog.documents.replace(documentEntry({ metadata: { a: 1 }, chunks: ["alpha", "delta"] }))
      const items = yield* summary(catalog)
      assert.deepStrictEqual(
        items
          .filter(([tag]) => tag === "Remove")
          .map(([, id]) => id)
          .toSorted(),
        [bravo, charlie].toSorted()
      )
      assert.lengthOf(items, 3)
    }))

  test("keeps the last write for a chunk; an older confirmation does not confirm it", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({ chunks: ["alpha"] })
      yield* catalog.documents.replace(entry)
      const [before] = yield* pending(catalog)
      assert(before !== undefined)
      yield* catalog.documents.remove([entry.document.id])
      assert.deepStrictEqual(yield* summary(catalog), [["Remove", before.chunkId]])
      yield* catalog.outbox.confirm([before.sequence])
      assert.lengthOf(yield* pending(catalog), 1)
      yield* catalog.documents.replace(entry)
      assert.deepStrictEqual(yield* summary(catalog), [["Upsert", before.chunkId]])
      yield* drain(catalog)
      yield* catalog.documents.remove([entry.document.id])
      assert.lengthOf(yield* pending(catalog), 1, "sequences are not given twice")
    }))

  test("leaves out chunks without a vector until they have one", (catalog) =>
    Effect.gen(function* () {
      const bare = documentEntry({ path: "bare.md", chunks: ["bare"], vectors: false })
      const whole = documentEntry({ path: "whole.md", chunks: ["whole"] })
      yield* Effect.forEach([bare, whole], catalog.documents.replace)
      assert.deepStrictEqual(yield* summary(catalog), [["Upsert", whole.chunks[0]?.id]])
      assert.strictEqual((yield* countsOf(catalog)).outbox, 2)
      yield* catalog.cache.put("model", "document", documentEntry({ chunks: ["bare"] }).vectors)
      assert.deepStrictEqual(yield* summary(catalog), [
        ["Upsert", bare.chunks[0]?.id],
        ["Upsert", whole.chunks[0]?.id]
      ])
    }))

  test("takes chunks on request: all of them, or those named", (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      const [alpha, bravo] = entry.chunks.map((chunk) => chunk.id)
      assert(alpha !== undefined && bravo !== undefined)
      yield* catalog.documents.replace(entry)
      yield* drain(catalog)
      yield* catalog.outbox.enqueue([bravo, "stray"])
      assert.deepStrictEqual(yield* summary(catalog), [
        ["Upsert", bravo],
        ["Remove", "stray"]
      ])
      yield* drain(catalog)
      assert.strictEqual(yield* catalog.outbox.enqueueAll, 2)
      assert.deepStrictEqual(yield* summary(catalog), [
        ["Upsert", alpha],
        ["Upsert", bravo]
      ])
      assert.strictEqual(yield* catalog.outbox.enqueueAll, 2)
      assert.strictEqual((yield* countsOf(catalog)).outbox, 2)
    }))
}
