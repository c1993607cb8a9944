import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { equals } from "../domain/Filter.ts"
import { maxIds } from "../ports/VectorStoreProvider.ts"
import { type VectorStoreHarness, whenVisible } from "./vectorStoreHarness.ts"
import { allIds } from "./vectorStoreIds.ts"
import { batchOf, unit } from "./vectorStoreRows.ts"

/** Queries limited to some ids, and listing ids by pages. */
export const vectorStoreIdTests = <E>({ scored, test }: VectorStoreHarness<E>): void => {
  describe("queries limited to ids", () => {
    test(
      "only these rows, before the top k; ids that are not there and ids given twice are no error",
      2,
      (store) =>
        Effect.gen(function* () {
          const near = Array.from({ length: 300 }, (_, i) => ({
            id: `near-${i}`,
            vector: unit(1, i / 10_000)
          }))
          yield* store.upsert(
            batchOf([
              ...near,
              { id: "far", vector: [0, 1], fields: { repo: "other" } },
              { id: "opposite", vector: [-1, 0] }
            ])
          )
          const asked = (ids: ReadonlyArray<string>, topK = 2) =>
            store.query({ vector: unit(1, 0), topK, ids })
          yield* whenVisible(
            store,
            Effect.gen(function* () {
              scored(yield* asked(["opposite", "far", "never", "far"]), [
                ["far", 0],
                ["opposite", -1]
              ])
              scored(yield* asked(["opposite", "far", "near-0"], 1), [["near-0", 1]])
              assert.deepStrictEqual(yield* asked(["never"]), [])
              assert.deepStrictEqual(yield* asked([]), [])
            })
          )
        })
    )

    test("together with a filter both must hold", 2, (store) =>
      Effect.gen(function* () {
        const row = (id: string, repo: string) => ({ id, vector: unit(1, 0), fields: { repo } })
        yield* store.upsert(batchOf([row("a", "r"), row("b", "r"), row("c", "s")]))
        const asked = (ids: ReadonlyArray<string>, repo: string) =>
          Effect.map(store.query({ vector: unit(1, 0), topK: 9, ids, where: equals("repo", repo) }), (hits) =>
            hits.map((hit) => hit.id)
          )
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* asked(["b", "c"], "r"), ["b"])
            assert.deepStrictEqual(yield* asked(["c"], "r"), [])
            assert.deepStrictEqual(yield* asked([], "r"), [])
          })
        )
      })
    )

    test("as many ids as a query may name, and no more", 2, (store) =>
      Effect.gen(function* () {
        yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
        const many = Array.from({ length: maxIds - 1 }, (_, n) => `none-${n}`)
        const asked = (ids: ReadonlyArray<string>) => store.query({ vector: unit(1, 0), topK: 5, ids })
        yield* whenVisible(
          store,
          Effect.map(asked([...many, "a"]), (hits) => scored(hits, [["a", 1]]))
        )
        const reasonOf = (ids: ReadonlyArray<string>) =>
          Effect.map(Effect.flip(asked(ids)), (error) =>
            error._tag === "VectorStoreError" ? error.reason : error._tag
          )
        assert.strictEqual(yield* reasonOf([...many, "a", "b"]), "count")
        assert.strictEqual(yield* reasonOf(["a", ""]), "id")
      })
    )
  })

  describe("listing", () => {
    test("pages of any size hold every id once, in the declared order", 2, (store) =>
      Effect.gen(function* () {
        const ids = ["d", "b", "é", "a", "c", "B", "\uffff", "😀"]
        yield* store.upsert(batchOf(ids.map((id) => ({ id, vector: [1, 0] }))))
        const { listing } = store.capabilities
        if (listing === "none") {
          const error = yield* Effect.flip(store.ids({ limit: 10 }))
          assert.strictEqual(error.reason, "unsupported")
          return
        }
        for (const limit of [1, 3, ids.length, ids.length + 1])
          yield* whenVisible(
            store,
            Effect.gen(function* () {
              const all = yield* allIds(store, limit)
              assert.deepStrictEqual(listing === "sorted" ? all : all.toSorted(), ids.toSorted())
              // the order is the same each time
              assert.deepStrictEqual(yield* allIds(store, limit), all)
              const page = yield* store.ids({ limit })
              assert.isAtMost(page.ids.length, limit)
            })
          )
        for (const limit of [0, -1, 1.5, Number.NaN, maxIds + 1])
          assert.strictEqual((yield* Effect.flip(store.ids({ limit }))).reason, "count")
      })
    )

    test("a page after an id that has been deleted continues with the next", 2, (store) =>
      Effect.gen(function* () {
        if (store.capabilities.listing === "none") return
        const ids = ["a", "b", "c", "d"]
        yield* store.upsert(batchOf(ids.map((id) => ({ id, vector: [1, 0] }))))
        yield* whenVisible(
          store,
          Effect.map(allIds(store), (all) => assert.lengthOf(all, ids.length))
        )
        const first = yield* store.ids({ limit: 2 })
        assert.isNotNull(first.next)
        yield* store.delete(first.ids)
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            const rest = yield* store.ids({ after: first.next ?? "", limit: 9 })
            assert.deepStrictEqual([...first.ids, ...rest.ids].toSorted(), ids)
            assert.deepStrictEqual((yield* allIds(store)).toSorted(), rest.ids.toSorted())
          })
        )
      })
    )
  })
}
