import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { HealthChecks } from "../../src/plugin/HealthChecks.ts"
import { isReady } from "../../src/domain/HealthCheck.ts"

const good = Effect.succeed({ healthy: true, detail: "fine" })

describe("HealthChecks", () => {
  it.effect("runs what is registered, in order, and forgets it with its scope", () =>
    Effect.gen(function* () {
      const { register, run } = yield* HealthChecks
      yield* register("first", good)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* register("second", Effect.succeed({ healthy: false, detail: "start it" }))
          assert.deepStrictEqual(yield* run, [
            { name: "first", healthy: true, optional: false, detail: "fine" },
            { name: "second", healthy: false, optional: false, detail: "start it" }
          ])
        })
      )
      assert.deepStrictEqual(
        (yield* run).map(({ name }) => name),
        ["first"]
      )
    }).pipe(Effect.provide(HealthChecks.layer))
  )

  it.effect("shows which parts requests can do without", () =>
    Effect.gen(function* () {
      const { register, run } = yield* HealthChecks
      yield* register("spare", Effect.succeed({ healthy: false, detail: "gone" }), { optional: true })
      const checks = yield* run
      assert.deepStrictEqual(checks, [{ name: "spare", healthy: false, optional: true, detail: "gone" }])
      assert.isTrue(isReady(checks))
      yield* register("needed", Effect.succeed({ healthy: false, detail: "gone" }))
      assert.isFalse(isReady(yield* run))
    }).pipe(Effect.provide(HealthChecks.layer))
  )

  it.effect("a check that hangs or breaks is a failed check, and the others are not concerned", () =>
    Effect.gen(function* () {
      const { register, run } = yield* HealthChecks
      yield* register("hangs", Effect.never)
      yield* register("breaks", Effect.die(new Error("boom")))
      yield* register("works", good)
      const fiber = yield* Effect.forkChild(run, { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), [
        { name: "hangs", healthy: false, optional: false, detail: "no answer within 10 seconds" },
        { name: "breaks", healthy: false, optional: false, detail: "the check itself failed: Error: boom" },
        { name: "works", healthy: true, optional: false, detail: "fine" }
      ])
    }).pipe(Effect.provide(HealthChecks.layer))
  )
})
