import { Context, Effect, Layer, Option } from "effect"
import type { Chunk } from "../domain/Chunk.ts"
import {
  type ChunkingError,
  type DocumentRefused,
  type IndexError,
  InvalidInput,
  NotFound
} from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import type {
  Catalog,
  ChunkRecord,
  DocumentPage,
  DocumentRecord,
  SourceSummary
} from "../ports/CatalogProvider.ts"
import { ChunkPreview } from "./ChunkPreview.ts"
import { Generations } from "../index/Generations.ts"

export interface PreviewRequest {
  readonly text: string
  /** `text/markdown` when absent. */
  readonly mediaType?: string | undefined
  /** Shown as the path of the document. */
  readonly path?: string | undefined
  /** Name of a chunker plugin with its default options; the configured chunker when absent. */
  readonly chunker?: string | undefined
}

/** The bounds of what one request can read. */
export const readLimits = { first: 1_000, previewLength: 1_000_000 } as const

/** Reads what is in the index, and previews what would be. */
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
>()("@omnirag/core/documents/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const generations = yield* Generations
      const previews = yield* ChunkPreview

      const read = <A, E>(use: (catalog: Catalog) => Effect.Effect<A, E>) =>
        Effect.scoped(Effect.flatMap(generations.live, ({ catalog }) => use(catalog)))
      const found =
        (kind: string, id: string) =>
        <A, E>(effect: Effect.Effect<Option.Option<A>, E>): Effect.Effect<A, E | NotFound> =>
          Effect.flatMap(
            effect,
            Option.match({
              onNone: () => Effect.fail(new NotFound({ kind, id })),
              onSome: (value) => Effect.succeed(value)
            })
          )

      const get = Effect.fn("Documents.get")((id: string) =>
        read((catalog) => catalog.document(id)).pipe(found("document", id))
      )
      const getMany = Effect.fn("Documents.getMany")((ids: ReadonlyArray<string>) =>
        read((catalog) =>
          Effect.map(Effect.forEach(ids, catalog.document), (records) => records.flatMap(Option.toArray))
        )
      )
      const text = Effect.fn("Documents.text")((id: string) =>
        read((catalog) => catalog.text(id)).pipe(found("document", id))
      )
      const list = Effect.fn("Documents.list")(function* (options: Parameters<Catalog["documents"]>[0]) {
        if (!Number.isInteger(options.first) || options.first < 1 || options.first > readLimits.first) {
          return yield* new InvalidInput({ field: "first", message: `must be 1 to ${readLimits.first}` })
        }
        return yield* read((catalog) => catalog.documents(options))
      })
      const chunk = Effect.fn("Documents.chunk")((id: string) =>
        read((catalog) => catalog.chunk(id)).pipe(found("chunk", id))
      )
      const chunks = Effect.fn("Documents.chunks")((ids: ReadonlyArray<string>) =>
        read((catalog) => catalog.chunks(ids))
      )
      const chunksOf = Effect.fn("Documents.chunksOf")((id: string) =>
        Effect.andThen(
          get(id),
          read((catalog) => catalog.chunksOf(id))
        )
      )

      const preview = Effect.fn("Documents.preview")(function* (request: PreviewRequest) {
        if (request.text.length > readLimits.previewLength) {
          return yield* new InvalidInput({
            field: "text",
            message: `must have at most ${readLimits.previewLength} UTF-16 units`
          })
        }
        return yield* previews.chunks({
          path: request.path ?? "preview.md",
          bytes: new TextEncoder().encode(request.text),
          mediaType: request.mediaType,
          chunker: request.chunker
        })
      })

      return Documents.of({
        get,
        getMany,
        text,
        list,
        chunk,
        chunks,
        chunksOf,
        sources: read((catalog) => catalog.sources),
        preview
      })
    })
  )
}
