import type { EmbeddingError, IndexCorrupt, ModelChanged } from "../domain/errors.ts"
import type { PluginSelection } from "../plugin/PluginSelection.ts"
import type { Artifacts } from "../ports/ArtifactStore.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { LexicalIndex } from "../ports/catalog/LexicalIndex.ts"
import type { Embedder, EmbedderProvider } from "../ports/EmbedderProvider.ts"
import type { GenerationRef } from "../ports/GenerationRef.ts"
import type { VectorStore } from "../ports/VectorStoreProvider.ts"

/** The vectors of a generation and the only embedder that understands them. */
export interface VectorIndex {
  readonly embedder: Embedder
  readonly store: VectorStore
  /** True when the store's own word index is in use, and so has to be given the terms of each row. */
  readonly words: boolean
}

/** What keeps the vectors of a generation from being used; after an `EmbeddingError` they may be usable again. */
export type GenerationFault = IndexCorrupt | ModelChanged | EmbeddingError

/**
 * The index as one chunker and one embedder see the documents, opened. A change of either builds another generation
 * beside the live one.
 */
export interface Generation {
  readonly id: string
  readonly ref: GenerationRef
  readonly catalog: Catalog
  /** The word index that is asked: that of the catalog, or of the vector store where the configuration says so. */
  readonly lexical: LexicalIndex
  readonly artifacts: Artifacts
  readonly embedderProvider: EmbedderProvider["Service"]
  readonly selection: PluginSelection
  /** Null until an embedder that learns from the corpus has been fitted, or while `fault` says why not. */
  readonly vectors: VectorIndex | null
  /** The state of the vectors when it was opened, or an older one: another stamp in the catalog means that they changed. */
  readonly stamp: string | null
  /** The catalog is sound all the same. */
  readonly fault: GenerationFault | null
}

/** What is known of a generation that may still be under construction. */
export type GenerationOutline = Pick<Generation, "id" | "catalog" | "selection" | "vectors">
