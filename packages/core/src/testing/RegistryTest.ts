import type { Effect, Scope } from "effect"
import type { GenerationRegistry } from "../ports/GenerationRegistry.ts"

/** Opens the registry of the test's index as a process of its own would, uses it and closes it. */
export type InProcess = <A, E>(
  use: (registry: GenerationRegistry["Service"]) => Effect.Effect<A, E, Scope.Scope>
) => Effect.Effect<A, unknown>

/** Runs one test on the registry of a new index. */
export type RegistryTest = (
  title: string,
  body: (inProcess: InProcess) => Effect.Effect<void, unknown>
) => void
