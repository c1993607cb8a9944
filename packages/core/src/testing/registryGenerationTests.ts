import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { RegistryTest } from "./RegistryTest.ts"

/** Which generations there are, and which one answers. */
export const registryGenerationTests = (test: RegistryTest): void => {
  test("knows nothing of an index that is new, however often it is asked", (inProcess) =>
    inProcess((registry) =>
      Effect.gen(function* () {
        assert.notStrictEqual(registry.name, "")
        for (let round = 0; round < 2; round++) {
          assert.deepStrictEqual(yield* registry.list, [])
          assert.deepStrictEqual(yield* registry.live, Option.none())
        }
      })
    ))

  test("names the index once, and the same for processes that ask at once", (inProcess) =>
    Effect.gen(function* () {
      const ask = inProcess(({ index }) => Effect.all([index, index], { concurrency: "unbounded" }))
      const names = yield* Effect.all(
        Array.from({ length: 8 }, () => ask),
        { concurrency: "unbounded" }
      )
      const [name] = names.flat()
      assert.isDefined(name)
      // part of the names of tables and collections of other stores
      assert.match(name, /^[a-z0-9]+$/)
      assert.deepStrictEqual([...new Set(names.flat())], [name])
      assert.strictEqual(yield* inProcess(({ index }) => index), name)
    }))

  test("lists what was added, oldest first, and has none of it live before it is promoted", (inProcess) =>
    Effect.gen(function* () {
      yield* inProcess((registry) =>
        Effect.gen(function* () {
          for (const id of ["g-000002", "g-000010", "g-000001", "g-1000000", "g-000002"])
            yield* registry.add(id)
        })
      )
      yield* inProcess((registry) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* registry.list, ["g-000001", "g-000002", "g-000010", "g-1000000"])
          assert.deepStrictEqual(yield* registry.live, Option.none())
        })
      )
    }))

  test("has not even the only generation live before it is promoted", (inProcess) =>
    Effect.gen(function* () {
      yield* inProcess(({ add }) => add("g-000001"))
      assert.deepStrictEqual(yield* inProcess(({ live }) => live), Option.none())
      yield* inProcess(({ promote }) => promote("g-000001"))
      assert.deepStrictEqual(yield* inProcess(({ live }) => live), Option.some("g-000001"))
    }))

  test("switches to the generation promoted last, for all processes and for good", (inProcess) =>
    inProcess((reader) =>
      Effect.gen(function* () {
        yield* inProcess((writer) =>
          Effect.gen(function* () {
            for (const id of ["g-000001", "g-000002"]) {
              yield* writer.add(id)
              yield* writer.promote(id)
              yield* writer.promote(id)
              for (const registry of [writer, reader])
                assert.deepStrictEqual(yield* registry.live, Option.some(id))
            }
            yield* writer.promote("g-000001")
          })
        )
        assert.deepStrictEqual(yield* reader.live, Option.some("g-000001"))
        assert.deepStrictEqual(yield* reader.list, ["g-000001", "g-000002"])
        assert.deepStrictEqual(yield* inProcess(({ live }) => live), Option.some("g-000001"))
      })
    ))

  test("takes a generation as it is when several processes add it at once", (inProcess) =>
    Effect.gen(function* () {
      yield* Effect.all(
        Array.from({ length: 8 }, () => inProcess(({ add }) => add("g-000001"))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* inProcess(({ list }) => list), ["g-000001"])
    }))

  test("removes generations, those that are not there too, and leaves the others", (inProcess) =>
    Effect.gen(function* () {
      yield* inProcess((registry) =>
        Effect.gen(function* () {
          for (const id of ["g-000001", "g-000002", "g-000003"]) yield* registry.add(id)
          yield* registry.promote("g-000002")
          for (const id of ["g-000001", "g-000003", "g-000003", "g-000009"]) yield* registry.remove(id)
          assert.deepStrictEqual(yield* registry.list, ["g-000002"])
        })
      )
      yield* inProcess((registry) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* registry.list, ["g-000002"])
          assert.deepStrictEqual(yield* registry.live, Option.some("g-000002"))
          // what was removed can be added anew, and is not live by that
          yield* registry.add("g-000001")
          assert.deepStrictEqual(yield* registry.list, ["g-000001", "g-000002"])
          assert.deepStrictEqual(yield* registry.live, Option.some("g-000002"))
        })
      )
    }))
}
