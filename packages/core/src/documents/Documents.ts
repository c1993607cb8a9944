import { Access, type View } from "../access/Access.ts"
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
import type { DocumentPage, DocumentRecord } from "../domain/DocumentRecord.ts"
import { requestBounds } from "../domain/requestBounds.ts"
import type { SourceSummary } from "../domain/SourceSummary.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { ChunkRecord } from "../ports/catalog/ChunkCatalog.ts"
import { ChunkPreview } from "./ChunkPreview.ts"
import { GenerationReader } from "../index/GenerationReader.ts"

export interface PreviewRequest {
  readonly text: string
  /** `text/markdown` when absent. */
  readonly mediaType?: string | undefined
  /** Shown as the path of the document. */
  readonly path?: string | undefined
  /** Name of a chunker plugin with its default options; the configured chunker when absent. */
  readonly chunker?: string | undefined
}

/** Which documents to list. */
export interface ListRequest {
  readonly where?: Filter | undefined
  /** 1 … 1,000. */
  readonly first: number
  /** `next` of the page before. */
  readonly after?: string | undefined
}

/** What is in the index, as far as the caller sees it, and what would be. */
export class Documents extends Context.Service<
  Documents,
  {
    readonly get: (id: string) => Effect.Effect<DocumentRecord, NotFound | IndexError>
    /** The documents with these ids in their order; unknown ids are left out. */
    readonly getMany: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<DocumentRecord>, IndexError>
    /** The canonical text that offsets of chunks and citations refer to. */
    readonly text: (id: string) => Effect.Effect<string, NotFound | IndexError>
    readonly list: (request: ListRequest) => Effect.Effect<DocumentPage, InvalidInput | IndexError>
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
      const access = yield* Access
      const reader = yield* GenerationReader
      const previews = yield* ChunkPreview

      /** Reads from the live generation, as the caller sees it. */
      const read = <A, E>(use: (catalog: Catalog, view: View) => Effect.Effect<A, E>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const { catalog } = yield* reader.live
            return yield* use(catalog, yield* access.view)
          })
        )

      /** A document that is there and that the caller sees: to everybody else it is not there. */
      const documentOf = Effect.fnUntraced(function* (catalog: Catalog, view: View, id: string) {
        const found = Option.filter(yield* catalog.documents.get(id), view.seesDocument)
        return Option.isSome(found) ? found.value : yield* new NotFound({ kind: "document", id })
      })

      const get = Effect.fn("Documents.get")((id: string) =>
        read((catalog, view) => documentOf(catalog, view, id))
      )
      const getMany = Effect.fn("Documents.getMany")((ids: ReadonlyArray<string>) =>
        read((catalog, view) =>
          Effect.map(catalog.documents.getMany(ids), (records) => records.filter(view.seesDocument))
        )
      )
      const text = Effect.fn("Documents.text")((id: string) =>
        read((catalog, view) =>
          Effect.andThen(
            documentOf(catalog, view, id),
            Effect.flatMap(
              catalog.documents.text(id),
              Option.match({
                onNone: () => Effect.fail(new NotFound({ kind: "document", id })),
                onSome: Effect.succeed
              })
            )
          )
        )
      )
      const list = Effect.fn("Documents.list")(function* (options: ListRequest) {
        if (
          !Number.isInteger(options.first) ||
          options.first < 1 ||
          options.first > requestBounds.documents
        ) {
          return yield* new InvalidInput({
            field: "first",
            message: `must be 1 to ${requestBounds.documents}`
          })
        }
        return yield* read((catalog, view) =>
          catalog.documents.list({ ...options, where: view.within(options.where) })
        )
      })
      const chunk = Effect.fn("Documents.chunk")((id: string) =>
        read(
          Effect.fnUntraced(function* (catalog, view) {
            const found = Option.filter(yield* catalog.chunks.get(id), ({ fields }) =>
              view.seesFields(fields)
            )
            return Option.isSome(found) ? found.value : yield* new NotFound({ kind: "chunk", id })
          })
        )
      )
      const chunks = Effect.fn("Documents.chunks")((ids: ReadonlyArray<string>) =>
        read((catalog, view) =>
          Effect.map(catalog.chunks.getMany(ids), (records) =>
            records.filter(({ fields }) => view.seesFields(fields))
          )
        )
      )
      const chunksOf = Effect.fn("Documents.chunksOf")((id: string) =>
        read((catalog, view) => Effect.andThen(documentOf(catalog, view, id), catalog.chunks.ofDocument(id)))
      )
      const sources = read((catalog, view) => catalog.documents.sources(view.within())).pipe(
        // the filter of a policy is valid
        Effect.catchTag("InvalidInput", Effect.die)
      )

      const preview = Effect.fn("Documents.preview")(function* (request: PreviewRequest) {
        if (request.text.length > requestBounds.previewLength) {
          return yield* new InvalidInput({
            field: "text",
            message: `must have at most ${requestBounds.previewLength} UTF-16 units`
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
        sources,
        preview
      })
    })
  )
}
