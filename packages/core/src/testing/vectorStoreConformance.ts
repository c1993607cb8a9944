import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Layer } from "effect"
import { compare, equals } from "../domain/Filter.ts"
import { type VectorStore, VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { badBatches } from "./vectorStoreBadBatches.ts"
import { filterMatrix, matrixRows } from "./vectorStoreFilterMatrix.ts"
import { batchOf, chunkFields, clusteredVectors, unit } from "./vectorStoreRows.ts"

/** What the suite must know of a store. */
export interface VectorStoreConformance<E> {
  readonly layer: Layer.Layer<VectorStoreProvider, E>
  /** A fresh folder; the suite makes a collection in it for each test. */
  readonly folder: string
  /** Whether a collection outlives its scope after `flush`. */
  readonly persistent: boolean
  /** Rows of the large test; fewer for a store over a slow wire. Default 10,000. */
  readonly rows?: number
  /** The share of the true hits that the large test must find; 1 for exact stores. Default 1. */
  readonly recall?: number
  /** How far a score may lie from the true cosine. Default 1e-6. */
  readonly tolerance?: number
  /** Why the suite cannot run here; the tests are then skipped under this text. */
  readonly skip?: string | undefined
}

/**
 * The contract of `VectorStoreProvider` as tests. In the test file of a plugin:
 *
 * ```ts
 * vectorStoreConformance("my store", { layer: myStore.build({}), folder, persistent: true })
 * ```
 */
export const vectorStoreConformance = <E>(name: string, options: VectorStoreConformance<E>): void => {
  const { folder, layer } = options
  const tolerance = options.tolerance ?? 1e-6
  let number = 0
  const fresh = (dimensions: number) => ({ collection: `conformance_${++number}`, folder, dimensions })

  const test = <E2>(
    title: string,
    dimensions: number,
    body: (store: VectorStore) => Effect.Effect<void, E2>
  ) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const provider = yield* VectorStoreProvider
        const spec = fresh(dimensions)
        yield* Effect.scoped(Effect.flatMap(provider.open(spec), body))
        yield* provider.drop(spec)
      }).pipe(Effect.provide(layer))
    )

  const scored = (
    hits: ReadonlyArray<{ readonly id: string; readonly score: number }>,
    expected: ReadonlyArray<readonly [string, number]>
  ) => {
    assert.deepStrictEqual(
      hits.map((hit) => hit.id),
      expected.map(([id]) => id)
    )
    for (const [i, [, score]] of expected.entries())
      assert.closeTo(hits[i]?.score ?? Number.NaN, score, tolerance)
  }

  const suite = options.skip === undefined ? describe : describe.skip
  suite(`${name}: vector store conformance${options.skip === undefined ? "" : ` (${options.skip})`}`, () => {
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
          const hits = yield* store.query({ vector: unit(1, 0), topK: 10 })
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

      test("scores never leave −1 … 1 by rounding", 97, (store) =>
        Effect.gen(function* () {
          const vectors = clusteredVectors(200, 97, 7)
          const ids = Array.from({ length: 200 }, (_, i) => `row ${i}`)
          yield* store.upsert({ ids, fields: ids.map(() => chunkFields()), vectors: vectors.slice() })
          for (let row = 0; row < 200; row += 10) {
            const hits = yield* store.query({ vector: vectors.slice(row * 97, (row + 1) * 97), topK: 200 })
            assert.strictEqual(hits.length, 200)
            assert.isTrue(hits.every((hit) => hit.score >= -1 && hit.score <= 1))
            assert.closeTo(hits[0]?.score ?? 0, 1, 1e-5)
          }
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
          assert.deepStrictEqual(yield* first(3), ["B", "a", "aa"])
          assert.deepStrictEqual(yield* first(100), ["B", "a", "aa", "c", "d", "é"])
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

      test("an empty collection and a k above the count", 2, (store) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* store.query({ vector: unit(1, 0), topK: 10_000 }), [])
          assert.strictEqual(yield* store.count(), 0)
          assert.deepStrictEqual(yield* store.ids, [])
          yield* store.upsert({ ids: [], fields: [], vectors: new Float32Array(0) })
          yield* store.upsert(batchOf([{ id: "only", vector: [1, 0] }]))
          scored(yield* store.query({ vector: unit(1, 0), topK: 10_000 }), [["only", 1]])
        })
      )

      const rows = options.rows ?? 10_000
      test(`finds the true top 10 among ${rows} rows`, 48, (store) =>
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
          assert.strictEqual(yield* store.count(), rows)
          assert.deepStrictEqual(yield* store.ids, ids.toSorted())
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
          assert.isAtLeast(found / (10 * queries.length), options.recall ?? 1)
        })
      )
    })

    describe("filters", () => {
      it.live("matrix: operator × value", () =>
        Effect.gen(function* () {
          const provider = yield* VectorStoreProvider
          const spec = fresh(2)
          yield* Effect.scoped(
            Effect.gen(function* () {
              const store = yield* provider.open(spec)
              yield* store.upsert(
                batchOf(Object.entries(matrixRows).map(([id, fields]) => ({ id, vector: [1, 0], fields })))
              )
              const wrong: Array<unknown> = []
              for (const { ids, title, where } of filterMatrix) {
                const hits = yield* store.query({ vector: unit(1, 0), topK: 10, where })
                const got = hits.map((hit) => hit.id)
                const count = yield* store.count(where)
                if (got.join() !== ids.join() || count !== ids.length)
                  wrong.push({ title, expected: ids, got, count })
              }
              assert.deepStrictEqual(wrong, [])
            })
          )
          yield* provider.drop(spec)
        }).pipe(Effect.provide(layer))
      )

      test("apply before the top k: 3 far rows among 1,000 near ones (T12)", 2, (store) =>
        Effect.gen(function* () {
          const near = Array.from({ length: 1000 }, (_, i) => ({
            id: `near-${i}`,
            vector: unit(1, i / 10_000),
            fields: { repo: "A" }
          }))
          const far = [0.3, 0.1, 0.2].map((x, i) => ({
            id: `far-${i}`,
            vector: unit(-x, 1),
            fields: { repo: "B" }
          }))
          yield* store.upsert(batchOf([...near, ...far]))
          const hits = yield* store.query({ vector: unit(1, 0), topK: 3, where: equals("repo", "B") })
          assert.deepStrictEqual(
            hits.map((hit) => hit.id),
            ["far-1", "far-2", "far-0"]
          )
          assert.deepStrictEqual(
            yield* store.query({ vector: unit(1, 0), topK: 3, where: equals("repo", "C") }),
            []
          )
        })
      )

      test("an unknown field is an error, not an empty result", 2, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
          const where = equals("repository", "repo")
          const asked = yield* Effect.flip(store.query({ vector: unit(1, 0), topK: 1, where }))
          assert.strictEqual(asked._tag, "InvalidInput")
          assert.include(asked.message, "repository")
          assert.strictEqual((yield* Effect.flip(store.count(where)))._tag, "InvalidInput")
          assert.strictEqual((yield* Effect.flip(store.deleteWhere(where)))._tag, "InvalidInput")
          assert.strictEqual(yield* store.count(), 1)
        })
      )
    })

    describe("replace and delete", () => {
      test("a replaced row has the new vector and only the new fields", 2, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(
            batchOf([{ id: "a", vector: [1, 0], fields: { repo: "old", metadata: { gone: "yes" } } }])
          )
          yield* store.upsert(batchOf([{ id: "a", vector: [0, 1], fields: { repo: "new" } }]))
          assert.strictEqual(yield* store.count(), 1)
          scored(yield* store.query({ vector: unit(0, 1), topK: 5 }), [["a", 1]])
          assert.strictEqual(yield* store.count(equals("repo", "old")), 0)
          assert.strictEqual(yield* store.count(equals("metadata.gone", "yes")), 0)
          assert.strictEqual(yield* store.count(equals("repo", "new")), 1)
        })
      )

      test("delete by id and by filter; what is not there is no error", 2, (store) =>
        Effect.gen(function* () {
          const angles = [0, 1, 2, 3, 4, 5]
          yield* store.upsert(
            batchOf(
              angles.map((i) => ({
                id: `row${i}`,
                vector: unit(1, i),
                fields: { documentId: `d${i % 2}`, page: i }
              }))
            )
          )
          yield* store.delete(["row0", "never", "row0"])
          yield* store.delete([])
          assert.deepStrictEqual(yield* store.ids, ["row1", "row2", "row3", "row4", "row5"])
          yield* store.deleteWhere(equals("documentId", "d1"))
          assert.deepStrictEqual(yield* store.ids, ["row2", "row4"])
          yield* store.deleteWhere(compare("page", "gt", 100))
          const hits = yield* store.query({ vector: unit(1, 2), topK: 5 })
          scored(hits, [
            ["row2", 1],
            ["row4", 9 / Math.sqrt(85)]
          ])
          yield* store.upsert(batchOf([{ id: "row0", vector: [1, 0] }]))
          assert.deepStrictEqual(yield* store.ids, ["row0", "row2", "row4"])
        })
      )
    })

    describe("refusals", () => {
      for (const { make, reason, title } of badBatches)
        test(`${title} refuses the whole batch`, 2, (store) =>
          Effect.gen(function* () {
            yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
            const error = yield* Effect.flip(store.upsert(make()))
            assert.strictEqual(error._tag, "VectorStoreError")
            assert.strictEqual(error.reason, reason)
            assert.deepStrictEqual(yield* store.ids, ["a"])
            assert.strictEqual(yield* store.count(equals("repo", "repo")), 1)
            scored(yield* store.query({ vector: unit(1, 0), topK: 1 }), [["a", 1]])
          })
        )

      test("queries out of bounds", 2, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
          const reasonOf = (vector: Float32Array, topK: number) =>
            Effect.map(Effect.flip(store.query({ vector, topK })), (error) =>
              error._tag === "VectorStoreError" ? error.reason : error._tag
            )
          for (const topK of [0, -1, 1.5, Number.NaN, Infinity, 10_001, 2 ** 32 + 1, 1e9])
            assert.strictEqual(yield* reasonOf(unit(1, 0), topK), "topK")
          assert.strictEqual(yield* reasonOf(unit(1, 0, 0), 1), "dimensions")
          assert.strictEqual(yield* reasonOf(new Float32Array(0), 1), "dimensions")
          assert.strictEqual(yield* reasonOf(Float32Array.of(Number.NaN, 0), 1), "notFinite")
          assert.strictEqual(yield* reasonOf(Float32Array.of(3, 4), 1), "notUnit")
        })
      )

      it.live("collections of no name and no dimensions", () =>
        Effect.gen(function* () {
          const provider = yield* VectorStoreProvider
          const reasonOf = (collection: string, dimensions: number) =>
            Effect.map(
              Effect.flip(Effect.scoped(provider.open({ collection, folder, dimensions }))),
              (error) => error._tag === "VectorStoreError" && error.reason
            )
          for (const dimensions of [0, -1, 1.5, Number.NaN, 65_537])
            assert.strictEqual(yield* reasonOf("good", dimensions), "dimensions")
          for (const collection of ["", "../up", "a/b", "a b", "ü", "x".repeat(129)])
            assert.strictEqual(yield* reasonOf(collection, 2), "id")
        }).pipe(Effect.provide(layer))
      )
    })

    describe("life", () => {
      it.live("a closed collection refuses calls", () =>
        Effect.gen(function* () {
          const provider = yield* VectorStoreProvider
          const spec = fresh(2)
          const store = yield* Effect.scoped(provider.open(spec))
          const error = yield* Effect.flip(store.count())
          assert.strictEqual(error._tag === "VectorStoreError" && error.reason, "closed")
          yield* provider.drop(spec)
          yield* provider.drop(spec)
        }).pipe(Effect.provide(layer))
      )

      it.live("a dropped collection is empty when it is opened again", () =>
        Effect.gen(function* () {
          const provider = yield* VectorStoreProvider
          const spec = fresh(2)
          const write = Effect.gen(function* () {
            const store = yield* provider.open(spec)
            assert.strictEqual(yield* store.count(), 0)
            yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
            yield* store.flush
          }).pipe(Effect.scoped)
          yield* write
          yield* provider.drop(spec)
          yield* write
          yield* provider.drop(spec)
        }).pipe(Effect.provide(layer))
      )

      test("interrupted and parallel calls leave a working store", 2, (store) =>
        Effect.gen(function* () {
          const rows = Array.from({ length: 400 }, (_, i) => ({
            id: `row${String(i).padStart(3, "0")}`,
            vector: unit(1, i)
          }))
          yield* Effect.forEach(
            [0, 1, 2, 3],
            (part) => store.upsert(batchOf(rows.slice(part * 100, (part + 1) * 100))),
            { concurrency: "unbounded" }
          )
          const asked = yield* Effect.forkChild(store.query({ vector: unit(1, 0), topK: 3 }), {
            startImmediately: true
          })
          yield* Fiber.interrupt(asked)
          const answers = yield* Effect.forEach(
            Array.from({ length: 20 }),
            () => store.query({ vector: unit(1, 0), topK: 2 }),
            { concurrency: "unbounded" }
          )
          for (const hits of answers)
            assert.deepStrictEqual(
              hits.map((hit) => hit.id),
              ["row000", "row001"]
            )
          assert.strictEqual(yield* store.count(), 400)
        })
      )

      if (options.persistent)
        it.live("what was flushed is there after opening again: writes, replacements and deletions", () =>
          Effect.gen(function* () {
            const provider = yield* VectorStoreProvider
            const spec = fresh(3)
            const session = <A, E2>(body: (store: VectorStore) => Effect.Effect<A, E2>) =>
              Effect.scoped(Effect.flatMap(provider.open(spec), body))
            yield* session((store) =>
              Effect.gen(function* () {
                yield* store.upsert(
                  batchOf([
                    { id: "a", vector: [1, 0, 0], fields: { metadata: { list: ["x"], text: "né\n" } } },
                    { id: "b", vector: [0, 1, 0], fields: { page: 3 } },
                    { id: "c", vector: [0, 0, 1] }
                  ])
                )
                yield* store.flush
                yield* store.flush
              })
            )
            yield* session((store) =>
              Effect.gen(function* () {
                assert.strictEqual(yield* store.count(equals("metadata.text", "né\n")), 1)
                yield* store.delete(["b"])
                yield* store.upsert(batchOf([{ id: "c", vector: [0.6, 0, 0.8], fields: { repo: "moved" } }]))
                yield* store.flush
              })
            )
            yield* session((store) =>
              Effect.gen(function* () {
                assert.deepStrictEqual(yield* store.ids, ["a", "c"])
                assert.strictEqual(yield* store.count(equals("metadata.list", "x")), 1)
                assert.strictEqual(yield* store.count(equals("repo", "moved")), 1)
                scored(yield* store.query({ vector: unit(1, 0, 0), topK: 3 }), [
                  ["a", 1],
                  ["c", 0.6]
                ])
              })
            )
            yield* provider.drop(spec)
          }).pipe(Effect.provide(layer))
        )
    })
  })
}
