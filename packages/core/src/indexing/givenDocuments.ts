import { Effect, Option, Stream } from "effect"
import type { Document } from "../domain/Document.ts"
import { equals } from "../domain/Filter.ts"
import type { AppError } from "../domain/errors.ts"
import type { Catalog, DocumentRecord } from "../ports/CatalogProvider.ts"
import type { Chunker } from "../ports/Chunker.ts"
import { getGivenSources, setFact } from "./Generation.ts"
import { prepareDocument, type PreparedDocument } from "./prepareDocument.ts"

/** Documents read at a time. */
const pageSize = 100

/** Remembers that documents of this source come from the API. */
export const rememberGivenSource = Effect.fnUntraced(function* (catalog: Catalog, source: string) {
  const names = yield* getGivenSources(catalog)
  if (!names.includes(source)) yield* setFact(catalog, "givenSources", JSON.stringify([...names, source]))
})

const recordsOf = (catalog: Catalog, source: string) =>
  Stream.paginate(undefined as string | undefined, (after) =>
    Effect.map(
      catalog.documents({ where: equals("repo", source), first: pageSize, after }),
      (page) =>
        [
          page.documents,
          page.next === null ? Option.none() : Option.some<string | undefined>(page.next)
        ] as const
    )
  )

const restore = (record: DocumentRecord, text: string): Document => ({
  id: record.id,
  source: record.source,
  path: record.path,
  bundle: record.bundle,
  mediaType: record.mediaType,
  title: record.title,
  text,
  contentHash: record.contentHash,
  metadata: record.metadata,
  pages: []
})

/**
 * The documents given through the API, chunked anew out of the catalog: they have no disk to come back from, so a
 * generation with another chunker takes them over like this.
 */
export const carryGivenDocuments = (
  from: Catalog,
  chunker: Chunker["Service"],
  minimumChunkLength: number
): Stream.Stream<PreparedDocument, AppError> =>
  Stream.fromIterableEffect(getGivenSources(from)).pipe(
    Stream.flatMap((source) => recordsOf(from, source)),
    Stream.mapEffect(
      Effect.fnUntraced(function* (record) {
        const text = Option.getOrElse(yield* from.text(record.id), () => "")
        const file = {
          path: record.path,
          size: text.length,
          modifiedAt: record.indexedAt,
          contentHash: record.contentHash
        }
        return yield* prepareDocument(
          chunker,
          restore(record, text),
          file,
          record.revision,
          minimumChunkLength
        )
      })
    )
  )
