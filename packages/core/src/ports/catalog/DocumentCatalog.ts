import type { Effect, Option } from "effect"
import type { Chunk } from "../../domain/Chunk.ts"
import type { Document } from "../../domain/Document.ts"
import type { DocumentPage, DocumentRecord } from "../../domain/DocumentRecord.ts"
import type { CatalogError, InvalidInput } from "../../domain/errors.ts"
import type { Filter } from "../../domain/Filter.ts"
import type { SourceSummary } from "../../domain/SourceSummary.ts"
import type { CachedVector } from "./VectorCache.ts"

/** What the catalog knows of a file: enough to tell that it has not changed. */
export interface FileState {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly modifiedAt: number
  /** SHA-256 (hex) of the bytes. */
  readonly contentHash: string
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

/** How many chunks a replacement added, left as they were and removed. */
export interface ReplaceResult {
  readonly added: number
  readonly unchanged: number
  readonly removed: number
}

/** How much of something there is. */
export interface DocumentCounts {
  readonly documents: number
  readonly chunks: number
}

/** The documents of a generation with their files and texts. Filters see the fields of a document (not page, intent, confidence). */
export interface DocumentCatalog {
  /**
   * Replaces a document in one transaction: chunks that are gone out, new ones in, their terms into the lexical index,
   * vectors into the cache, a row in the outbox for each change the vector store must see. Chunks with the same id and
   * fields are left as they are.
   */
  readonly replace: (entry: DocumentEntry) => Effect.Effect<ReplaceResult, CatalogError>
  /** Records that a file has new times but the same content. */
  readonly touchFile: (documentId: string, file: FileState) => Effect.Effect<void, CatalogError>
  /** Records that documents are the same at another revision; ids that are not there are no error. */
  readonly setRevision: (
    documentIds: ReadonlyArray<string>,
    revision: string
  ) => Effect.Effect<void, CatalogError>
  /** Removes documents with their chunks, in one transaction; returns how many there were. */
  readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<number, CatalogError>

  /** The document with this id, without its text; none when it is not in the catalog. */
  readonly get: (id: string) => Effect.Effect<Option.Option<DocumentRecord>, CatalogError>
  /** The documents with these ids, in the order of the ids; unknown ids are left out. */
  readonly getMany: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<DocumentRecord>, CatalogError>
  /** The canonical text of a document; none when it is not in the catalog. */
  readonly text: (id: string) => Effect.Effect<Option.Option<string>, CatalogError>
  /**
   * A page of the documents that the filter holds for, ascending by id, beginning after the id `after`. `InvalidInput`
   * for a bad filter, or a `first` out of bounds.
   */
  readonly list: (options: {
    readonly where?: Filter | undefined
    /** 0 … 10,000. */
    readonly first: number
    readonly after?: string | undefined
  }) => Effect.Effect<DocumentPage, CatalogError | InvalidInput>
  /** Ids of the documents a filter holds for, `limit` of them at most, in no promised order. */
  readonly matching: (
    where: Filter,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, CatalogError | InvalidInput>
  /** The files of the documents of a source, by the path of the document. */
  readonly fileStates: (source: string) => Effect.Effect<ReadonlyMap<string, FileState>, CatalogError>
  /** What is indexed of each source, by name; of the documents that the filter holds for. */
  readonly sources: (
    where?: Filter
  ) => Effect.Effect<ReadonlyArray<SourceSummary>, CatalogError | InvalidInput>
  /** How many documents the filter holds for, with how many chunks. */
  readonly count: (where?: Filter) => Effect.Effect<DocumentCounts, CatalogError | InvalidInput>
}
