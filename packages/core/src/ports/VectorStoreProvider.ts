import { Context, type Effect, type Scope } from "effect"
import type { ChunkFields, Filter } from "../domain/Filter.ts"
import type { IndexCorrupt, InvalidInput, VectorStoreError } from "../domain/errors.ts"

/** Rows to write: `vectors` holds one unit vector after the other, in the order of `ids` and `fields`. */
export interface VectorBatch {
  readonly ids: ReadonlyArray<string>
  readonly fields: ReadonlyArray<ChunkFields>
  /** Length `ids.length * dimensions`. The store may take ownership of the buffer: do not use it afterwards. */
  readonly vectors: Float32Array
}

export interface VectorQuery {
  /** A unit vector of length `dimensions`. */
  readonly vector: Float32Array
  /** 1 … 10,000. */
  readonly topK: number
  /** Applied before the top k are chosen, so k hits come back whenever k rows match. */
  readonly where?: Filter | undefined
}

export interface VectorHit {
  readonly id: string
  /** Cosine: −1 … 1, higher is better. */
  readonly score: number
}

/** The most hits one query may ask for. */
export const maxTopK = 10_000

/** One collection of vectors. Order of hits: score descending, then id ascending. */
export interface VectorStore {
  readonly name: string
  readonly dimensions: number
  /** Writes rows, replacing those with the same id. Refuses the whole batch when a single row is wrong. */
  readonly upsert: (batch: VectorBatch) => Effect.Effect<void, VectorStoreError>
  readonly query: (
    query: VectorQuery
  ) => Effect.Effect<ReadonlyArray<VectorHit>, VectorStoreError | InvalidInput>
  /**
   * Tells how many rows there are about to be. A store that keeps them in memory makes room at once: growing step by step
   * copies all of them several times. Others do without it.
   */
  readonly reserve?: (rows: number) => Effect.Effect<void, VectorStoreError>
  /** Ids that are not there are no error. */
  readonly delete: (ids: ReadonlyArray<string>) => Effect.Effect<void, VectorStoreError>
  readonly deleteWhere: (where: Filter) => Effect.Effect<void, VectorStoreError | InvalidInput>
  readonly count: (where?: Filter) => Effect.Effect<number, VectorStoreError | InvalidInput>
  /** All ids, sorted. */
  readonly ids: Effect.Effect<ReadonlyArray<string>, VectorStoreError>
  /** Returns when everything written so far survives a crash. */
  readonly flush: Effect.Effect<void, VectorStoreError>
}

export interface CollectionSpec {
  /** Unique per index generation; letters, digits, `_` and `-`. */
  readonly collection: string
  /** The folder of the generation, for stores that keep files. */
  readonly folder: string
  readonly dimensions: number
}

/** Opens collections of the configured store. */
export class VectorStoreProvider extends Context.Service<
  VectorStoreProvider,
  {
    readonly name: string
    /** Opens the collection, creating it when it is not there. `IndexCorrupt` when its files are torn or foreign. */
    readonly open: (
      spec: CollectionSpec
    ) => Effect.Effect<VectorStore, VectorStoreError | IndexCorrupt, Scope.Scope>
    /** Removes the collection with all it holds; one that is not there is no error. */
    readonly drop: (spec: CollectionSpec) => Effect.Effect<void, VectorStoreError>
  }
>()("@omnirag/core/ports/VectorStoreProvider") {}
