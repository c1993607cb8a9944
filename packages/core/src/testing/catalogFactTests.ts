import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { CatalogTest } from "./CatalogTest.ts"

/** Small values kept with a generation. */
export const catalogFactTests = (test: CatalogTest): void => {
  test("keeps small values", (catalog) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* catalog.facts.get("key"), Option.none())
      yield* catalog.facts.set("key", "one")
      yield* catalog.facts.set("key", "two")
      assert.deepStrictEqual(yield* catalog.facts.get("key"), Option.some("two"))
    }))
}
