/** Rows a search found, in no promised order. */
export interface FoundRows {
  readonly rows: Uint32Array
  /** Cosines, clamped to −1 … 1. */
  readonly scores: Float32Array
}

/**
 * Unit vectors in a flat inner-product index. Rows count from 0 without gaps. Callers have validated every argument;
 * a binding that is native checks what could reach foreign memory once more.
 */
export interface FlatIndex {
  readonly rows: number
  /** Makes room for so many rows in all. */
  readonly reserve: (rows: number) => void
  /** Adds whole rows at the end. The array is copied. */
  readonly append: (vectors: Float32Array) => void
  readonly write: (row: number, vector: Float32Array) => void
  /** The last row takes the place of `row`. */
  readonly remove: (row: number) => void
  /** Copies rows from `first` on, as many as `into` holds. */
  readonly read: (first: number, into: Float32Array) => void
  /**
   * All rows whose score reaches that of the k-th best: more than k when the k-th is tied, so that the caller can
   * settle ties by id. `picked` limits the search to these rows.
   */
  readonly search: (query: Float32Array, k: number, picked?: Uint32Array) => FoundRows
  /** Frees the memory; the index is not used afterwards. */
  readonly dispose: () => void
}

/** A way to FAISS (or round it): makes flat indexes that live in the calling thread. */
export interface FaissBinding {
  readonly name: "addon" | "faiss-node" | "exact"
  /** For logs and `doctor`: versions, kernel. */
  readonly description: string
  readonly open: (dimensions: number) => FlatIndex
}
