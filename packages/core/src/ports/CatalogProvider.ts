import { Context, type Effect, type Option, type Scope, type Stream } from "effect"
import type { Chunk } from "../domain/Chunk.ts"
import type { Document, Metadata } from "../domain/Document.ts"
import type { CatalogError, IndexCorrupt, IndexLocked, InvalidInput } from "../domain/errors.ts"
import type { ChunkFields, Filter } from "../domain/Filter.ts"
import type { Place } from "../domain/Hit.ts"
import type { IndexRun } from "../domain/IndexRun.ts"
import type { EmbeddingRole } from "./EmbedderProvider.ts"

/** What the catalog knows of a file: enough to tell that it has not changed. */
export interface FileState {
  readonly path: string
  readonly size: number
  readonly modifiedAt: number
  readonly contentHash: string
}

/** A document without its text. */
export interface DocumentRecord {
  readonly id: string
  readonly source: string
  readonly path: string
  readonly bundle: string | null
  readonly mediaType: string
  readonly title: string
  readonly contentHash: string
  readonly metadata: Metadata
  readonly revision: string | null
  readonly chunks: number
  /** Length of the text in UTF-16 units. */
  readonly length: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly indexedAt: number
}

/** A chunk with the document fields that hits and filters need. */
export interface ChunkRecord {
  readonly chunk: Chunk
  readonly title: string
  readonly fields: ChunkFields
}

/** A vector to remember: the embedding of a text in a role by the embedder with this fingerprint. */
export interface CachedVector {
  /** `textHash` of the text. */
  readonly textHash: string
  readonly vector: Float32Array
}

/** One document with everything that is written in its transaction. */
export interface DocumentEntry {
  readonly document: Document
  readonly file: FileState
  readonly revision: string | null
  readonly chunks: ReadonlyArray<Chunk>
  /** New vectors, by the embedder whose fingerprint is given; those in the cache already need not be here. */
  readonly vectors: ReadonlyArray<CachedVector>
  readonly fingerprint: string
}

export interface ReplaceResult {
  readonly added: number
  readonly unchanged: number
  readonly removed: number
}

/** Where a text stands besides the chunk that was asked about: in the same source, and where the filter allows. */
export interface Copies {
  readonly total: number
  /** The first of them, in the order of documents. */
  readonly places: ReadonlyArray<Place>
}

/** A write the vector store still has to see. `remove` has no row; `upsert` has its chunk and vector. */
export type OutboxItem =
  | { readonly _tag: "Remove"; readonly sequence: number; readonly chunkId: string }
  | {
      readonly _tag: "Upsert"
      readonly sequence: number
      readonly chunkId: string
      readonly fields: ChunkFields
      readonly vector: Float32Array
    }

export interface LexicalQuery {
  /** Terms as `language/terms.ts` makes them; a term given twice counts twice. Never parsed as query syntax. */
  readonly terms: ReadonlyArray<string>
  readonly limit: number
  readonly where?: Filter | undefined
  /** Look up also terms that most chunks of a large index hold; they tell little, and cost most. */
  readonly common?: boolean | undefined
}

export interface LexicalHit {
  readonly id: string
  /** BM25, 0 …; higher is better. */
  readonly score: number
}

export interface DocumentPage {
  readonly documents: ReadonlyArray<DocumentRecord>
  /** Pass as `after` to read on; null on the last page. */
  readonly next: string | null
  readonly total: number
}

export interface SourceSummary {
  readonly name: string
  readonly documents: number
  readonly chunks: number
  readonly revision: string | null
}

export interface CatalogCounts {
  readonly documents: number
  readonly chunks: number
  readonly vectors: number
  readonly outbox: number
}

/** The truth of one index generation: documents, chunks, lexical index, vectors cache, outbox and runs. */
export interface Catalog {
  readonly name: string

  /**
   * Replaces a document in one transaction: chunks that are gone out, new ones in, vectors into the cache, a row in
   * the outbox for each change the vector store must see. Chunks with the same id and fields are left as they are.
   */
  readonly replaceDocument: (entry: DocumentEntry) => Effect.Effect<ReplaceResult, CatalogError>
  /** Records that a file has new times but the same content. */
  readonly touchFile: (documentId: string, file: FileState) => Effect.Effect<void, CatalogError>
  /** Records that documents are the same at another revision; ids that are not there are no error. */
  readonly setRevision: (
    documentIds: ReadonlyArray<string>,
    revision: string
  ) => Effect.Effect<void, CatalogError>
  /** Removes documents with their chunks, in one transaction; returns how many there were. */
  readonly deleteDocuments: (ids: ReadonlyArray<string>) => Effect.Effect<number, CatalogError>

  readonly document: (id: string) => Effect.Effect<Option.Option<DocumentRecord>, CatalogError>
  /** The canonical text of a document. */
  readonly text: (documentId: string) => Effect.Effect<Option.Option<string>, CatalogError>
  /** Documents in the order of their ids. `where` sees the fields of a document (not page, intent, confidence). */
  readonly documents: (options: {
    readonly where?: Filter | undefined
    readonly first: number
    readonly after?: string | undefined
  }) => Effect.Effect<DocumentPage, CatalogError | InvalidInput>
  readonly chunk: (id: string) => Effect.Effect<Option.Option<ChunkRecord>, CatalogError>
  /** The chunks with these ids, in the order of the ids; unknown ids are left out. */
  readonly chunks: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ChunkRecord>, CatalogError>
  readonly chunksOf: (documentId: string) => Effect.Effect<ReadonlyArray<Chunk>, CatalogError>
  /** A key for each chunk, the same for chunks of one source with the same text; unknown ids are left out. */
  readonly textKeys: (
    chunkIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, string>, CatalogError>
  /** The other chunks with the text and the source of each of these chunks, `limit` of each listed; unknown ids have none. */
  readonly copiesOf: (
    chunkIds: ReadonlyArray<string>,
    options: { readonly limit: number; readonly where?: Filter | undefined }
  ) => Effect.Effect<ReadonlyMap<string, Copies>, CatalogError | InvalidInput>
  /**
   * How many chunks of a document that are not in the catalog yet hold a text their source has already: in this document
   * or another. `isLeaving` tells of documents that are about to be removed, whose texts do not count.
   */
  readonly countRepeats: (
    entry: Pick<DocumentEntry, "document" | "chunks">,
    isLeaving: (documentId: string) => boolean
  ) => Effect.Effect<number, CatalogError>
  /** The files of the documents of a source, by the path of the document. */
  readonly fileStates: (source: string) => Effect.Effect<ReadonlyMap<string, FileState>, CatalogError>
  readonly sources: Effect.Effect<ReadonlyArray<SourceSummary>, CatalogError>
  readonly counts: Effect.Effect<CatalogCounts, CatalogError>
  /** True when there is no chunk; unlike `counts` it takes the same time however many there are. */
  readonly isEmpty: Effect.Effect<boolean, CatalogError>
  /** Every chunk id, sorted. */
  readonly chunkIds: Effect.Effect<ReadonlyArray<string>, CatalogError>
  /** The text of every chunk, in the order of documents, for fitting an embedder and for embedding anew. */
  readonly texts: Stream.Stream<{ readonly chunkId: string; readonly text: string }, CatalogError>

  /** BM25 over the terms of headings and text, headings weighted; filtered before the limit. */
  readonly lexical: (
    query: LexicalQuery
  ) => Effect.Effect<ReadonlyArray<LexicalHit>, CatalogError | InvalidInput>
  /**
   * Makes the terms in the lexical index anew where they were made by another analysis than that of this program
   * (`analysisVersion`), from the chunks and in slices; what is interrupted is gone on with. Until then queries find what
   * both analyses agree on. Returns for how many chunks; 0 as a rule. Call with the write lock held.
   */
  readonly refreshTerms: Effect.Effect<number, CatalogError>
  /** In how many chunks each term occurs, and how many chunks there are. */
  readonly documentFrequencies: (
    terms: ReadonlyArray<string>
  ) => Effect.Effect<
    { readonly chunks: number; readonly frequencies: ReadonlyMap<string, number> },
    CatalogError
  >

  /** The vectors in the cache for these texts, by text hash. */
  readonly cachedVectors: (
    fingerprint: string,
    role: EmbeddingRole,
    textHashes: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Float32Array>, CatalogError>
  readonly cacheVectors: (
    fingerprint: string,
    role: EmbeddingRole,
    vectors: ReadonlyArray<CachedVector>
  ) => Effect.Effect<void, CatalogError>
  /**
   * Forgets vectors that cannot be asked for again: of texts no chunk has any more, of embedders long out of use, of
   * old questions. Returns how many.
   */
  readonly prune: Effect.Effect<number, CatalogError>

  /** The oldest writes the vector store has not confirmed. Rows without a vector of this fingerprint are left out. */
  readonly outbox: (
    fingerprint: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<OutboxItem>, CatalogError>
  /** Forgets these writes: the store has made them durable. */
  readonly confirm: (sequences: ReadonlyArray<number>) => Effect.Effect<void, CatalogError>
  /** Puts every chunk into the outbox: the store is to be built anew. */
  readonly enqueueAll: Effect.Effect<number, CatalogError>
  /** Puts these chunks into the outbox: to be written when the catalog has them, removed otherwise. */
  readonly enqueue: (chunkIds: ReadonlyArray<string>) => Effect.Effect<void, CatalogError>

  readonly saveRun: (run: IndexRun) => Effect.Effect<void, CatalogError>
  /** The latest runs, newest first. */
  readonly runs: (first: number) => Effect.Effect<ReadonlyArray<IndexRun>, CatalogError>

  /** A small value kept with the index (fingerprints, format version). */
  readonly getMeta: (key: string) => Effect.Effect<Option.Option<string>, CatalogError>
  readonly setMeta: (key: string, value: string) => Effect.Effect<void, CatalogError>

  /** Checks the database file; empty when it is sound, otherwise what is wrong. */
  readonly check: Effect.Effect<ReadonlyArray<string>, CatalogError>
}

/** What a new generation takes over from the one before. */
export interface SeedOptions {
  /** The folder of the generation to copy from. */
  readonly from: string
  /** True when the chunker is the same: documents and chunks are copied too, not just vectors and runs. */
  readonly documents: boolean
}

/** Opens the catalog in the folder of an index generation. */
export class CatalogProvider extends Context.Service<
  CatalogProvider,
  {
    readonly name: string
    readonly open: (
      folder: string,
      options?: { readonly readOnly?: boolean }
    ) => Effect.Effect<Catalog, CatalogError | IndexCorrupt, Scope.Scope>
    /**
     * Takes the one right to write to the index in `folder` (the folder that holds all generations) until the scope ends.
     * The right of a process that has died is free at once.
     */
    readonly lock: (
      folder: string,
      holder: string
    ) => Effect.Effect<void, IndexLocked | CatalogError, Scope.Scope>
    /** Creates the catalog of a new generation in `folder` out of an older one; the older one is only read. */
    readonly seed: (folder: string, options: SeedOptions) => Effect.Effect<void, CatalogError | IndexCorrupt>
  }
>()("@omnirag/core/ports/CatalogProvider") {}
