import { Context, type Effect } from "effect"
import type { Chunk } from "../domain/Chunk.ts"
import type { ChunkingError, DocumentRefused, IndexError, InvalidInput, NotFound } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import type { ChunkRecord, DocumentPage, DocumentRecord, SourceSummary } from "../ports/CatalogProvider.ts"

export interface PreviewRequest {
  readonly text: string
  /** `text/markdown` when absent. */
  readonly mediaType?: string | undefined
  /** Shown as the path of the document. */
  readonly path?: string | undefined
  /** Name of a chunker plugin with its default options; the configured chunker when absent. */
  readonly chunker?: string | undefined
}

/** What is in the index, and what would be. */
export class Documents extends Context.Service<
  Documents,
  {
    readonly get: (id: string) => Effect.Effect<DocumentRecord, NotFound | IndexError>
    /** The documents with these ids in their order; unknown ids are left out. */
    readonly getMany: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<DocumentRecord>, IndexError>
    /** The canonical text that offsets of chunks and citations refer to. */
    readonly text: (id: string) => Effect.Effect<string, NotFound | IndexError>
    readonly list: (options: {
      readonly where?: Filter | undefined
      /** 1 … 1,000. */
      readonly first: number
      readonly after?: string | undefined
    }) => Effect.Effect<DocumentPage, InvalidInput | IndexError>
    readonly chunk: (id: string) => Effect.Effect<ChunkRecord, NotFound | IndexError>
    /** The chunks with these ids in their order; unknown ids are left out. */
    readonly chunks: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ChunkRecord>, IndexError>
    readonly chunksOf: (documentId: string) => Effect.Effect<ReadonlyArray<Chunk>, NotFound | IndexError>
    readonly sources: Effect.Effect<ReadonlyArray<SourceSummary>, IndexError>
    /** Chunks a text as indexing would, without indexing it. */
    readonly preview: (
      request: PreviewRequest
    ) => Effect.Effect<ReadonlyArray<Chunk>, InvalidInput | DocumentRefused | ChunkingError>
  }
>()("@omnirag/core/indexing/Documents") {}
