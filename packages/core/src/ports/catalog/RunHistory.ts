import type { Effect } from "effect"
import type { CatalogError } from "../../domain/errors.ts"
import type { IndexRun } from "../../domain/IndexRun.ts"

/** The indexing runs of a generation. */
export interface RunHistory {
  /** Adds a run, or replaces the one with its id; the oldest of many are forgotten. */
  readonly save: (run: IndexRun) => Effect.Effect<void, CatalogError>
  /** The latest runs, newest first. */
  readonly latest: (first: number) => Effect.Effect<ReadonlyArray<IndexRun>, CatalogError>
}
