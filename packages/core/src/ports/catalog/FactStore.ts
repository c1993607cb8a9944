import type { Effect, Option } from "effect"
import type { CatalogError } from "../../domain/errors.ts"

/** Small values kept with a generation (fingerprints, what it is built for). */
export interface FactStore {
  /** None when it was never set. */
  readonly get: (key: string) => Effect.Effect<Option.Option<string>, CatalogError>
  /** Replaces the value. */
  readonly set: (key: string, value: string) => Effect.Effect<void, CatalogError>
}
