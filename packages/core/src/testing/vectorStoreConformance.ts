import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { compare, equals } from "../domain/Filter.ts"
import { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { badBatches } from "./vectorStoreBadBatches.ts"
import { filterMatrix, matrixRows } from "./vectorStoreFilterMatrix.ts"
import { type VectorStoreConformance, vectorStoreHarness } from "./vectorStoreHarness.ts"
import { vectorStoreLifeTests } from "./vectorStoreLifeTests.ts"
import { batchOf, unit } from "./vectorStoreRows.ts"
import { vectorStoreScoreTests } from "./vectorStoreScoreTests.ts"

/**
 * The contract of `VectorStoreProvider` as tests. In the test file of a plugin:
 *
 * ```ts
 * vectorStoreConformance("my store", { layer: myStore.build({}), folder, persistent: true })
 * ```
 */
export const vectorStoreConformance = <E>(name: string, options: VectorStoreConformance<E>): void => {
  const { folder, layer } = options
  const harness = vectorStoreHarness(options)
  const { fresh, scored, test } = harness
  const suite = options.skip === undefined ? describe : describe.skip
  suite(`${name}: vector store conformance${options.skip === undefined ? "" : ` (${options.skip})`}`, () => {
    vectorStoreScoreTests(options, harness)
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

    vectorStoreLifeTests(options, harness)
  })
}
