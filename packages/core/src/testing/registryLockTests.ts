import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { RegistryTest } from "./RegistryTest.ts"

/** The one right to write. */
export const registryLockTests = (test: RegistryTest): void => {
  test("gives the right to write to one at a time, and names its holder", (inProcess) =>
    Effect.gen(function* () {
      yield* inProcess((first) =>
        Effect.gen(function* () {
          yield* first.lock("the first")
          const others = [
            inProcess(({ lock }) => Effect.flip(lock("the second"))),
            Effect.flip(Effect.scoped(first.lock("the first again")))
          ]
          for (const other of others) {
            const error = yield* other
            assert.propertyVal(error, "_tag", "IndexLocked")
            assert.propertyVal(error, "holder", "the first")
          }
        })
      )
      yield* inProcess(({ lock }) => lock("the third"))
    }))

  test("frees the lock with its scope, also when that is interrupted", (inProcess) =>
    Effect.gen(function* () {
      const taken = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        inProcess(({ lock }) =>
          Effect.andThen(lock("the first"), Effect.andThen(Deferred.succeed(taken, undefined), Effect.never))
        )
      )
      yield* Deferred.await(taken)
      yield* Fiber.interrupt(holder)
      yield* inProcess((registry) =>
        Effect.gen(function* () {
          yield* Effect.scoped(registry.lock("the second"))
          yield* Effect.scoped(registry.lock("the second"))
        })
      )
    }))

  test("gives the lock to exactly one of many that ask at once", (inProcess) =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      let answers = 0
      const ask = (holder: string) =>
        inProcess(({ lock }) =>
          Effect.gen(function* () {
            const outcome = yield* Effect.exit(lock(holder))
            // each keeps what it got until all have been answered
            if (++answers === 6) yield* Deferred.succeed(asked, undefined)
            yield* Deferred.await(asked)
            return outcome._tag
          })
        )
      const outcomes = yield* Effect.all(
        Array.from({ length: 6 }, (_, n) => ask(`holder ${n}`)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        outcomes.filter((tag) => tag === "Success"),
        1
      )
    }))

  test("keeps nobody from reading, and from asking what is live", (inProcess) =>
    inProcess((writer) =>
      Effect.gen(function* () {
        yield* writer.lock("the writer")
        yield* writer.add("g-000001")
        yield* writer.promote("g-000001")
        yield* inProcess((reader) =>
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* reader.list, ["g-000001"])
            assert.strictEqual(yield* reader.index, yield* writer.index)
          })
        )
      })
    ))
}
