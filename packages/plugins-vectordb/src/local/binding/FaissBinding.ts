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

/** How an HNSW graph is built and searched. */
export interface GraphOptions {
  /** Links of a node on each upper level; twice as many on the lowest. */
  readonly m: number
  /** Candidates kept while a node looks for its neighbours. */
  readonly efConstruction: number
  /** Candidates kept while a query looks for its hits; at least topK. */
  readonly efSearch: number
  /** A graph search is worth scanning so many rows: where there are no more, they are scanned. */
  readonly searchCost: number
}

/**
 * A flat index with an HNSW graph over it, which proposes rows to `search` without `picked`; scores stay exact. Rows that
 * are not linked yet are scanned, so that a search is right at any moment.
 */
export interface GraphIndex extends FlatIndex {
  /** Rows that are in the graph. */
  readonly linked: number
  /**
   * Links rows for about so many milliseconds; true while there are more. Begins anew when over a quarter of the nodes
   * have lost their rows. When it throws, all rows are unlinked.
   */
  readonly link: (milliseconds: number) => boolean
  /** The graph as bytes, in which rows have the numbers they have now. */
  readonly saveGraph: () => Uint8Array
  /**
   * Takes a saved graph back; `order` gives the present number of each row by the number it had then. Throws when the
   * bytes are damaged, of other rows or of other options.
   */
  readonly restoreGraph: (bytes: Uint8Array, order: Uint32Array) => void
}

/** A way to FAISS (or round it): makes flat indexes that live in the calling thread. */
export interface FaissBinding {
  readonly name: "addon" | "faiss-node" | "exact"
  /** For logs and health checks: versions, kernel. */
  readonly description: string
  readonly open: (dimensions: number) => FlatIndex
  /** Absent where the binding has no graph. */
  readonly openGraph?: (dimensions: number, options: GraphOptions) => GraphIndex
}
