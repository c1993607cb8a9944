import { Context, type Effect, type Scope } from "effect"
import type { ChunkFields, Filter } from "../domain/Filter.ts"
import type { IndexCorrupt, InvalidInput, VectorStoreError } from "../domain/errors.ts"
import type { ChunkTerms } from "../language/ChunkAnalysis.ts"
import type { LexicalIndex } from "./catalog/LexicalIndex.ts"
import type { GenerationRef } from "./GenerationRef.ts"
import type { VectorStoreCapabilities } from "./VectorStoreCapabilities.ts"

/** Rows to write: `vectors` holds one unit vector after the other, in the order of `ids` and `fields`. */
export interface VectorBatch {
  readonly ids: ReadonlyArray<string>
  readonly fields: ReadonlyArray<ChunkFields>
  /** Length `ids.length * dimensions`. The store may take ownership of the buffer: do not use it afterwards. */
  readonly vectors: Float32Array
  /** The terms of each row, present when the store's own word index is in use. */
  readonly terms?: ReadonlyArray<ChunkTerms>
}

/** What to look for: the nearest rows to a vector, among those that match. */
export interface VectorQuery {
  /** A unit vector of length `dimensions`. */
  readonly vector: Float32Array
  /** 1 … 10,000. */
  readonly topK: number
  /**
   * Applied before the top k are chosen, so k hits come back whenever k rows match. Holds only what the store declares;
   * core resolves the rest through the catalog.
   */
  readonly where?: Filter | undefined
  /** Only these rows, of which there are at most `maxIds`; ids that are not there are no error. Applied like `where`. */
  readonly ids?: ReadonlyArray<string> | undefined
}

/** A row that was found. */
export interface VectorHit {
  readonly id: string
  /** Cosine: −1 … 1, higher is better. */
  readonly score: number
}

/** The most hits one query may ask for. */
export const maxTopK = 10_000

/** The most ids a query may be limited to, and the most values an `in` of a store's filter may hold. */
export const maxIds = 10_000

/** Some ids of a collection. */
export interface IdPage {
  readonly ids: ReadonlyArray<string>
  /** Pass as `after` to read on; null on the last page. */
  readonly next: string | null
}

/** One collection of vectors. Order of hits: score descending, then id ascending. */
export interface VectorStore {
  readonly name: string
  readonly dimensions: number
  readonly capabilities: VectorStoreCapabilities
  /** Writes rows, replacing those with the same id. Refuses the whole batch when a single row is wrong. */
  readonly upsert: (batch: VectorBatch) => Effect.Effect<void, VectorStoreError>
  /** The nearest rows that match, at most `topK` of them. `InvalidInput` for a filter beyond what the store declares. */
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
  /** Removes the rows a filter holds for; the filter holds only what the store declares. */
  readonly deleteWhere: (where: Filter) => Effect.Effect<void, VectorStoreError | InvalidInput>
  /** Rows a filter holds for, or all rows. An estimate where `capabilities.counting` says so. */
  readonly count: (where?: Filter) => Effect.Effect<number, VectorStoreError | InvalidInput>
  /** A page of ids, in the order that `capabilities.listing` says; a page may hold fewer than `limit` and not be the last. */
  readonly ids: (page: {
    readonly after?: string | undefined
    readonly limit: number
  }) => Effect.Effect<IdPage, VectorStoreError>
  /** Returns when everything written so far survives a crash. */
  readonly flush: Effect.Effect<void, VectorStoreError>
  /**
   * A word index of the store's own, over the terms that come with the rows (`VectorBatch.terms`): used instead of the
   * catalog's where the configuration says so (`retrieval.lexical: vectorStore`).
   */
  readonly lexical?: LexicalIndex
}

/** Which collection to open. */
export interface CollectionSpec {
  /** The generation whose vectors it holds: one collection each. */
  readonly generation: GenerationRef
  readonly dimensions: number
}

/** Name of the collection of a generation: letters, digits, `_` and `-`, the same in every process. */
export const collectionName = ({ index, id }: GenerationRef): string => `omnirag-${index}-${id}`

/** Opens collections of the configured store. */
export class VectorStoreProvider extends Context.Service<
  VectorStoreProvider,
  {
    readonly name: string
    /** True when its collections have a word index (`VectorStore.lexical`). */
    readonly hasLexical?: boolean
    /** Opens the collection, creating it when it is not there. `IndexCorrupt` when its files are torn or foreign. */
    readonly open: (
      spec: CollectionSpec
    ) => Effect.Effect<VectorStore, VectorStoreError | IndexCorrupt, Scope.Scope>
    /** Removes the collection with all it holds; one that is not there is no error. */
    readonly drop: (generation: GenerationRef) => Effect.Effect<void, VectorStoreError>
  }
>()("@omnirag/core/ports/VectorStoreProvider") {}
