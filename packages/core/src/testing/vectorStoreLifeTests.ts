import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { equals } from "../domain/Filter.ts"
import { type VectorStore, VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import {
  counted,
  held,
  type VectorStoreConformance,
  type VectorStoreHarness,
  whenVisible
} from "./vectorStoreHarness.ts"
import { batchOf, unit } from "./vectorStoreRows.ts"

/** Opening, closing, dropping, interruption, and what outlives the process. */
export const vectorStoreLifeTests = <E>(
  options: VectorStoreConformance<E>,
  { fresh, layer, scored, test }: VectorStoreHarness<E>
): void => {
  describe("life", () => {
    it.live("a closed collection refuses calls", () =>
      Effect.gen(function* () {
        const provider = yield* VectorStoreProvider
        const spec = fresh(2)
        const store = yield* Effect.scoped(provider.open(spec))
        const error = yield* Effect.flip(store.count())
        assert.strictEqual(error._tag === "VectorStoreError" && error.reason, "closed")
        yield* provider.drop(spec.generation)
        yield* provider.drop(spec.generation)
      }).pipe(Effect.provide(layer))
    )

    it.live("a dropped collection is empty when it is opened again", () =>
      Effect.gen(function* () {
        const provider = yield* VectorStoreProvider
        const spec = fresh(2)
        const write = Effect.gen(function* () {
          const store = yield* provider.open(spec)
          yield* whenVisible(store, held(store, []))
          yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
          yield* store.flush
        }).pipe(Effect.scoped)
        yield* write
        yield* provider.drop(spec.generation)
        yield* write
        yield* provider.drop(spec.generation)
      }).pipe(Effect.provide(layer))
    )

    test("room made for rows, more or fewer than come, changes nothing that can be seen", 2, (store) =>
      Effect.gen(function* () {
        const reserve = (rows: number) => store.reserve?.(rows) ?? Effect.void
        yield* reserve(1_000)
        yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
        yield* reserve(0)
        yield* reserve(2)
        yield* store.upsert(batchOf(["b", "c", "d"].map((id) => ({ id, vector: [0, 1] }))))
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            yield* held(store, ["a", "b", "c", "d"])
            scored(yield* store.query({ vector: unit(1, 0), topK: 1 }), [["a", 1]])
          })
        )
      })
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
        yield* whenVisible(
          store,
          Effect.gen(function* () {
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
            yield* counted(store, 400)
          })
        )
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
              yield* whenVisible(store, counted(store, 1, equals("metadata.text", "né\n")))
              yield* store.delete(["b"])
              yield* store.upsert(batchOf([{ id: "c", vector: [0.6, 0, 0.8], fields: { repo: "moved" } }]))
              yield* store.flush
            })
          )
          yield* session((store) =>
            whenVisible(
              store,
              Effect.gen(function* () {
                yield* held(store, ["a", "c"])
                yield* counted(store, 1, equals("metadata.list", "x"))
                yield* counted(store, 1, equals("repo", "moved"))
                const vector = unit(1, 0, 0)
                scored(yield* store.query({ vector, topK: 3 }), [
                  ["a", 1],
                  ["c", 0.6]
                ])
                for (const [where, id] of [
                  [equals("metadata.list", "x"), "a"],
                  [equals("repo", "moved"), "c"]
                ] as const)
                  assert.deepStrictEqual(
                    (yield* store.query({ vector, topK: 3, where })).map((hit) => hit.id),
                    [id]
                  )
              })
            )
          )
          yield* provider.drop(spec.generation)
        }).pipe(Effect.provide(layer))
      )
  })
}
