import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { CatalogTest } from "./CatalogTest.ts"
import { indexRun as run } from "./catalogEntries.ts"

/** The history of indexing runs. */
export const catalogRunTests = (test: CatalogTest): void => {
  test("keeps runs, newest first, and the last state of each", (catalog) =>
    Effect.gen(function* () {
      yield* catalog.runs.save(run("b", 2))
      yield* catalog.runs.save(run("a", 1))
      yield* catalog.runs.save(run("c", 3))
      const done = run("b", 2, { status: "succeeded", endedAt: 5 })
      yield* catalog.runs.save(done)
      assert.deepStrictEqual(yield* catalog.runs.latest(2), [run("c", 3), done])
      assert.deepStrictEqual(
        (yield* catalog.runs.latest(10)).map(({ id }) => id),
        ["c", "b", "a"]
      )
      assert.deepStrictEqual(yield* catalog.runs.latest(0), [])
    }))
}
