import type { Effect, Option, Stream } from "effect"
import type { Chunk } from "../../domain/Chunk.ts"
import type { CatalogError, InvalidInput } from "../../domain/errors.ts"
import type { ChunkFields, Filter } from "../../domain/Filter.ts"
import type { Place } from "../../domain/Hit.ts"
import type { DocumentEntry } from "./DocumentCatalog.ts"

/** A chunk with the document fields that hits and filters need. */
export interface ChunkRecord {
  readonly chunk: Chunk
  readonly title: string
  readonly fields: ChunkFields
}

/** Where a text stands besides the chunk that was asked about: in the same source, and where the filter allows. */
export interface Copies {
  readonly total: number
  /** The first of them, in the order of documents. */
  readonly places: ReadonlyArray<Place>
}

/** The chunks of a generation, and which of them repeat a text of their source. */
export interface ChunkCatalog {
  /** The chunk with this id; none when it is not in the catalog. */
  readonly get: (id: string) => Effect.Effect<Option.Option<ChunkRecord>, CatalogError>
  /** The chunks with these ids, in the order of the ids; unknown ids are left out. */
  readonly getMany: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ChunkRecord>, CatalogError>
  /** The chunks of a document in the order of its text. */
  readonly ofDocument: (documentId: string) => Effect.Effect<ReadonlyArray<Chunk>, CatalogError>
  /** True when there is no chunk; unlike a count it takes the same time however many there are. */
  readonly isEmpty: Effect.Effect<boolean, CatalogError>
  /** Up to `limit` chunk ids after `after`, ascending by UTF-16 units; fewer than `limit` on the last page. */
  readonly ids: (page: {
    readonly after?: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<string>, CatalogError>
  /** Ids of the chunks a filter holds for, `limit` of them at most, in no promised order. */
  readonly matching: (
    where: Filter,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, CatalogError | InvalidInput>
  /** The text of every chunk, in the order of documents, for fitting an embedder and for embedding anew. */
  readonly texts: Stream.Stream<{ readonly chunkId: string; readonly text: string }, CatalogError>

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
   * or another. `isLeaving` is true for documents that are about to be removed, whose texts do not count.
   */
  readonly countRepeats: (
    entry: Pick<DocumentEntry, "document" | "chunks">,
    isLeaving: (documentId: string) => boolean
  ) => Effect.Effect<number, CatalogError>
}
