import { Effect, Option, Schema } from "effect"
import { PluginSelection } from "../plugin/PluginSelection.ts"
import type { CatalogError, EmbeddingError, IndexCorrupt, ModelChanged } from "../domain/errors.ts"
import type { Catalog } from "../ports/CatalogProvider.ts"
import type { Embedder, EmbedderProvider } from "../ports/EmbedderProvider.ts"
import type { VectorStore } from "../ports/VectorStoreProvider.ts"

/** The vectors of a generation and the only embedder that understands them. */
export interface VectorIndex {
  readonly embedder: Embedder
  readonly store: VectorStore
}

/**
 * The index as one chunker and one embedder see the documents. A change of either builds another generation beside the
 * live one; everything of a generation lives in one folder (and one collection of the vector store).
 */
export interface Generation {
  /** `g-` and a number that only grows. */
  readonly id: string
  readonly folder: string
  readonly catalog: Catalog
  readonly embedderProvider: EmbedderProvider["Service"]
  readonly selection: PluginSelection
  /** Null until an embedder that learns from the corpus has been fitted, or while `fault` says why not. */
  readonly vectors: VectorIndex | null
  /** The state of the vectors when it was opened, or an older one: another stamp in the catalog means that they changed. */
  readonly stamp: string | null
  /** What keeps the vectors from being used (an `EmbeddingError` may pass); the catalog is sound all the same. */
  readonly fault: IndexCorrupt | ModelChanged | EmbeddingError | null
}

/** Keys of the facts a catalog keeps about its generation. */
const keys = {
  /** The name of index and generation: a catalog with another, or none, is not the one that belongs here. */
  id: "generation.id",
  /** What a generation under construction is to become, so that a later run can go on with it; empty once in use. */
  purpose: "generation.purpose",
  chunker: "chunker.fingerprint",
  embedder: "embedder.fingerprint",
  dimensions: "embedder.dimensions",
  selection: "embedder.selection",
  fittedChunks: "embedder.fittedChunks",
  stamp: "store.stamp",
  /** JSON list of the sources whose documents were given through the API. */
  givenSources: "documents.givenSources"
} as const

export type GenerationKey = keyof typeof keys

export const getFact = (catalog: Catalog, key: GenerationKey): Effect.Effect<string | null, CatalogError> =>
  Effect.map(catalog.getMeta(keys[key]), Option.getOrNull)

export const setFact = (
  catalog: Catalog,
  key: GenerationKey,
  value: string
): Effect.Effect<void, CatalogError> => catalog.setMeta(keys[key], value)

const SelectionJson = Schema.fromJsonString(PluginSelection)

const NamesJson = Schema.fromJsonString(Schema.Array(Schema.String))

/** The sources whose documents were given through the API, and so have no disk to be compared with. */
export const getGivenSources = (catalog: Catalog): Effect.Effect<ReadonlyArray<string>, CatalogError> =>
  Effect.map(catalog.getMeta(keys.givenSources), (json) =>
    Option.getOrElse(Option.flatMap(json, Schema.decodeOption(NamesJson)), () => [])
  )

/** The selection a generation was built with; none for one that is still empty. */
export const getSelection = (catalog: Catalog): Effect.Effect<Option.Option<PluginSelection>, CatalogError> =>
  Effect.map(catalog.getMeta(keys.selection), Option.flatMap(Schema.decodeOption(SelectionJson)))

export const setSelection = (
  catalog: Catalog,
  selection: PluginSelection
): Effect.Effect<void, CatalogError> => catalog.setMeta(keys.selection, JSON.stringify(selection))

/** True when two selections name the same plugin with the same options. */
export const sameSelection = (left: PluginSelection, right: PluginSelection): boolean =>
  left.use === right.use && JSON.stringify(left.options ?? {}) === JSON.stringify(right.options ?? {})
