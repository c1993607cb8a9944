import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { equals } from "../domain/Filter.ts"
import { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { badBatches } from "./vectorStoreBadBatches.ts"
import { abovePage } from "./vectorStoreFilterTests.ts"
import { counted, held, type VectorStoreHarness, whenVisible } from "./vectorStoreHarness.ts"
import { batchOf, unit } from "./vectorStoreRows.ts"

/** Replacing, deleting, and what is refused. */
export const vectorStoreWriteTests = <E>({ fresh, layer, scored, test }: VectorStoreHarness<E>): void => {
  describe("replace and delete", () => {
    test("a replaced row has the new vector and only the new fields", 2, (store) =>
      Effect.gen(function* () {
        yield* store.upsert(
          batchOf([{ id: "a", vector: [1, 0], fields: { repo: "old", metadata: { gone: "yes" } } }])
        )
        yield* store.upsert(batchOf([{ id: "a", vector: [0, 1], fields: { repo: "new" } }]))
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            yield* counted(store, 1)
            scored(yield* store.query({ vector: unit(0, 1), topK: 5 }), [["a", 1]])
            yield* counted(store, 0, equals("repo", "old"))
            yield* counted(store, 0, equals("metadata.gone", "yes"))
            yield* counted(store, 1, equals("repo", "new"))
            for (const gone of [equals("repo", "old"), equals("metadata.gone", "yes")])
              assert.deepStrictEqual(yield* store.query({ vector: unit(0, 1), topK: 5, where: gone }), [])
          })
        )
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
        const holds = (...ids: ReadonlyArray<string>) => whenVisible(store, held(store, ids))
        yield* store.delete(["row0", "never", "row0"])
        yield* store.delete([])
        yield* holds("row1", "row2", "row3", "row4", "row5")
        yield* store.deleteWhere(equals("documentId", "d1"))
        yield* holds("row2", "row4")
        yield* store.deleteWhere(abovePage(store, 100, 101))
        yield* whenVisible(
          store,
          Effect.map(store.query({ vector: unit(1, 2), topK: 5 }), (hits) =>
            scored(hits, [
              ["row2", 1],
              ["row4", 9 / Math.sqrt(85)]
            ])
          )
        )
        yield* store.upsert(batchOf([{ id: "row0", vector: [1, 0] }]))
        yield* holds("row0", "row2", "row4")
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
          yield* whenVisible(
            store,
            Effect.gen(function* () {
              yield* held(store, ["a"])
              yield* counted(store, 1, equals("repo", "repo"))
              scored(yield* store.query({ vector: unit(1, 0), topK: 1 }), [["a", 1]])
            })
          )
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
        const good = fresh(2).generation
        const reasonOf = (generation: typeof good, dimensions: number) =>
          Effect.map(
            Effect.flip(Effect.scoped(provider.open({ generation, dimensions }))),
            (error) => error._tag === "VectorStoreError" && error.reason
          )
        for (const dimensions of [0, -1, 1.5, Number.NaN, 65_537])
          assert.strictEqual(yield* reasonOf(good, dimensions), "dimensions")
        for (const name of ["", "../up", "a/b", "a b", "ü", "x".repeat(129)])
          for (const generation of [
            { ...good, index: name },
            { ...good, id: name }
          ]) {
            assert.strictEqual(yield* reasonOf(generation, 2), "id")
            assert.strictEqual((yield* Effect.flip(provider.drop(generation))).reason, "id")
          }
      }).pipe(Effect.provide(layer))
    )
  })
}
