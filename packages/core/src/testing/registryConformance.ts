import { describe, it } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { GenerationRegistry } from "../ports/GenerationRegistry.ts"
import { registryGenerationTests } from "./registryGenerationTests.ts"
import { registryLockTests } from "./registryLockTests.ts"
import type { RegistryTest } from "./RegistryTest.ts"

/** What the suite must know of a registry. */
export interface RegistryConformance<E, E2> {
  readonly name: string
  /**
   * Makes an index that no other test has, and gives a layer that opens it. Each build of the layer is what another process
   * would open; all of them see the same index.
   */
  readonly newIndex: Effect.Effect<Layer.Layer<GenerationRegistry, E>, E2, Scope.Scope>
}

/**
 * The contract of `GenerationRegistry` as tests, see the table in `testing/index.ts`. In the test file of a plugin:
 *
 * ```ts
 * registryConformance({ name: "my registry", newIndex: Effect.sync(() => myRegistry(freshIndex())) })
 * ```
 */
export const registryConformance = <E, E2>({ name, newIndex }: RegistryConformance<E, E2>): void => {
  const test: RegistryTest = (title, body) => {
    it.live(title, () =>
      Effect.gen(function* () {
        const layer = yield* newIndex
        yield* body((use) => Effect.scoped(Effect.provide(Effect.flatMap(GenerationRegistry, use), layer)))
      })
    )
  }
  describe(`${name} keeps the contract of a registry`, () => {
    describe("generations", () => {
      registryGenerationTests(test)
    })
    describe("lock", () => {
      registryLockTests(test)
    })
  })
}
