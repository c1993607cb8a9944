import type { Effect } from "effect"
import type { CatalogError } from "../../domain/errors.ts"
import type { EmbeddingRole } from "../EmbedderProvider.ts"

/** A vector to remember. */
export interface CachedVector {
  /** `textHash` of the text. */
  readonly textHash: string
  /** Of unit length, or all 0. */
  readonly vector: Float32Array
}

/** Vectors by embedder, role and text: unchanged text is never embedded twice. */
export interface VectorCache {
  /** The vectors in the cache for these texts, by text hash. */
  readonly get: (
    fingerprint: string,
    role: EmbeddingRole,
    textHashes: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Float32Array>, CatalogError>
  /** Adds vectors; one that is there already stays as it is. */
  readonly put: (
    fingerprint: string,
    role: EmbeddingRole,
    vectors: ReadonlyArray<CachedVector>
  ) => Effect.Effect<void, CatalogError>
  /** Vectors in the cache, of all embedders. */
  readonly count: Effect.Effect<number, CatalogError>
  /**
   * Forgets vectors that cannot be asked for again: of texts no chunk has any more, of embedders long out of use, of
   * old questions. Returns how many.
   */
  readonly prune: Effect.Effect<number, CatalogError>
}
