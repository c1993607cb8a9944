import type { Effect } from "effect"
import type { CatalogError } from "../../domain/errors.ts"
import type { ChunkFields } from "../../domain/Filter.ts"

/** A write the vector store still has to see. `Remove` has no row; `Upsert` has the fields and the vector of its chunk. */
export type OutboxItem =
  | { readonly _tag: "Remove"; readonly sequence: number; readonly chunkId: string }
  | {
      readonly _tag: "Upsert"
      readonly sequence: number
      readonly chunkId: string
      readonly fields: ChunkFields
      readonly vector: Float32Array
    }

/** Writes to the vector store that the catalog has committed and the store has not confirmed. */
export interface Outbox {
  /** The oldest of them. Rows without a vector of this fingerprint are left out. */
  readonly pending: (
    fingerprint: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<OutboxItem>, CatalogError>
  /** How many there are, of all fingerprints. */
  readonly count: Effect.Effect<number, CatalogError>
  /** Forgets these writes: the store has made them durable. */
  readonly confirm: (sequences: ReadonlyArray<number>) => Effect.Effect<void, CatalogError>
  /** Puts every chunk into the outbox: the store is to be built anew. Returns how many. */
  readonly enqueueAll: Effect.Effect<number, CatalogError>
  /** Puts these chunks into the outbox: to be written when the catalog has them, removed otherwise. */
  readonly enqueue: (chunkIds: ReadonlyArray<string>) => Effect.Effect<void, CatalogError>
}
