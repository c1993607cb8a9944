import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import {
  counted,
  held,
  type VectorStoreConformance,
  type VectorStoreHarness,
  whenVisible
} from "./vectorStoreHarness.ts"
import { batchOf, chunkFields, clusteredVectors, unit } from "./vectorStoreRows.ts"

/** Scores, their order, ties, and the true top k. */
export const vectorStoreScoreTests = <E>(
  options: VectorStoreConformance<E>,
  { isExact, scored, test }: VectorStoreHarness<E>
): void => {
  describe("scores and order", () => {
    test("identical 1, orthogonal 0, opposite −1; higher is better (T13)", 2, (store) =>
      Effect.gen(function* () {
        yield* store.upsert(
          batchOf([
            { id: "opposite", vector: [-1, 0] },
            { id: "same", vector: [1, 0] },
            { id: "orthogonal", vector: [0, 1] },
            { id: "also the same", vector: [1, 0] },
            { id: "between", vector: [0.6, 0.8] }
          ])
        )
        yield* whenVisible(
          store,
          Effect.map(store.query({ vector: unit(1, 0), topK: 10 }), (hits) => {
            scored(hits, [
              ["also the same", 1],
              ["same", 1],
              ["between", 0.6],
              ["orthogonal", 0],
              ["opposite", -1]
            ])
            for (const hit of hits) assert.isTrue(hit.score >= -1 && hit.score <= 1)
          })
        )
      })
    )

    test("scores never leave −1 … 1 by rounding", 97, (store) =>
      Effect.gen(function* () {
        const vectors = clusteredVectors(200, 97, 7)
        const ids = Array.from({ length: 200 }, (_, i) => `row ${i}`)
        yield* store.upsert({ ids, fields: ids.map(() => chunkFields()), vectors: vectors.slice() })
        for (let row = 0; row < 200; row += 10)
          yield* whenVisible(
            store,
            Effect.map(
              store.query({ vector: vectors.slice(row * 97, (row + 1) * 97), topK: 200 }),
              (hits) => {
                assert.strictEqual(hits.length, 200)
                assert.isTrue(hits.every((hit) => hit.score >= -1 && hit.score <= 1))
                assert.closeTo(hits[0]?.score ?? 0, 1, 1e-5)
              }
            )
          )
      })
    )

    test("a tie at the k-th place goes to the smaller ids, whatever the order of writing", 2, (store) =>
      Effect.gen(function* () {
        const ids = ["d", "b", "é", "a", "c", "B"]
        yield* store.upsert(batchOf(ids.map((id) => ({ id, vector: [1, 0] }))))
        yield* store.delete(["b"])
        yield* store.upsert(batchOf([{ id: "aa", vector: [1, 0] }]))
        const first = (topK: number) =>
          Effect.map(store.query({ vector: unit(1, 0), topK }), (hits) => hits.map((hit) => hit.id))
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* first(100), ["B", "a", "aa", "c", "d", "é"])
            const three = yield* first(3)
            if (isExact(store)) assert.deepStrictEqual(three, ["B", "a", "aa"])
            // which of the tied rows come is not promised, their order is
            assert.deepStrictEqual(three, three.toSorted())
            assert.lengthOf(new Set(three), 3)
          })
        )
      })
    )

    test("the zero vector is allowed and scores 0, as row and as query", 2, (store) =>
      Effect.gen(function* () {
        yield* store.upsert(
          batchOf([
            { id: "zero", vector: [0, 0] },
            { id: "east", vector: [1, 0] },
            { id: "west", vector: [-1, 0] }
          ])
        )
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            scored(yield* store.query({ vector: unit(1, 0), topK: 3 }), [
              ["east", 1],
              ["zero", 0],
              ["west", -1]
            ])
            scored(yield* store.query({ vector: new Float32Array(2), topK: 3 }), [
              ["east", 0],
              ["west", 0],
              ["zero", 0]
            ])
          })
        )
      })
    )

    test("an empty collection and a k above the count", 2, (store) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* store.query({ vector: unit(1, 0), topK: 10_000 }), [])
        yield* counted(store, 0)
        yield* held(store, [])
        yield* store.upsert({ ids: [], fields: [], vectors: new Float32Array(0) })
        yield* store.upsert(batchOf([{ id: "only", vector: [1, 0] }]))
        yield* whenVisible(
          store,
          Effect.map(store.query({ vector: unit(1, 0), topK: 10_000 }), (hits) => scored(hits, [["only", 1]]))
        )
      })
    )

    const rows = options.rows ?? 10_000
    test(`finds the true top 10, or the share of them it claims, among ${rows} rows`, 48, (store) =>
      Effect.gen(function* () {
        const vectors = clusteredVectors(rows, 48, 1)
        const ids = Array.from({ length: rows }, (_, row) => `row-${row}`)
        for (let start = 0; start < rows; start += 4000) {
          const part = ids.slice(start, start + 4000)
          yield* store.upsert({
            ids: part,
            fields: part.map(() => chunkFields()),
            vectors: vectors.slice(start * 48, (start + part.length) * 48)
          })
        }
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            yield* counted(store, rows)
            yield* held(store, ids)
          })
        )
        let found = 0
        const queries = [0, 1, 2, 3, 4].map((i) => Math.floor((i * rows) / 5))
        for (const row of queries) {
          const vector = vectors.slice(row * 48, (row + 1) * 48)
          const cosines = ids.map((id, other) => {
            let sum = 0
            for (let i = 0; i < 48; i++) sum += (vector[i] ?? 0) * (vectors[other * 48 + i] ?? 0)
            return { id, sum }
          })
          const best = cosines.toSorted((a, b) => b.sum - a.sum).slice(0, 10)
          const hits = yield* store.query({ vector, topK: 10 })
          assert.strictEqual(hits[0]?.id, ids[row])
          const wanted = new Set(best.map((one) => one.id))
          found += hits.filter((hit) => wanted.has(hit.id)).length
        }
        const least = options.recall ?? (isExact(store) ? 1 : 0.95)
        assert.isAtLeast(found / (10 * queries.length), least)
      })
    )
  })
}
