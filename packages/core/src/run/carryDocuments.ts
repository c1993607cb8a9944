import { Effect, Option, Stream } from "effect"
import { type Document, documentId } from "../domain/Document.ts"
import type { AppError, CatalogError } from "../domain/errors.ts"
import type { DocumentRecord } from "../domain/DocumentRecord.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { Chunker } from "../ports/Chunker.ts"
import { getGivenSources, setFact } from "../index/facts.ts"
import type { IndexWriter } from "./IndexWriter.ts"
import { prepareDocument, type PreparedDocument } from "./prepareDocument.ts"
import type { SourceOutcome } from "./updateSources.ts"

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

/** Documents out of an older catalog, chunked again: for those that cannot be read from their disk now. */
const restored = (
  from: Catalog,
  ids: ReadonlyArray<string>,
  chunker: Chunker["Service"],
  minimumChunkLength: number
): Stream.Stream<PreparedDocument, AppError> =>
  Stream.fromIterable(ids).pipe(
    Stream.mapEffect((id) => Effect.all([from.documents.get(id), from.documents.text(id)])),
    Stream.flatMap(([record, text]) =>
      Stream.fromIterable(
        Option.isSome(record) && Option.isSome(text) ? [[record.value, text.value] as const] : []
      )
    ),
    Stream.mapEffect(([record, text]) => {
      const { contentHash, indexedAt, path, revision } = record
      // no file has the size −1: one that can be read again will be loaded again
      const file = { path, size: -1, modifiedAt: indexedAt, contentHash }
      return prepareDocument(chunker, restore(record, text), file, revision, minimumChunkLength)
    })
  )

/** Ids of the documents of a catalog that a generation built after it has to have, too. */
const expectedIn = Effect.fnUntraced(function* (
  before: Catalog,
  given: ReadonlyArray<string>,
  outcomes: ReadonlyArray<SourceOutcome>
): Effect.fn.Return<ReadonlyArray<string>, CatalogError> {
  const all = yield* Effect.forEach(outcomes, ({ name, present, refused }) =>
    Effect.map(before.documents.fileStates(name), (files) =>
      [...files.keys()]
        .filter((path) => present === null || present.has(path))
        .map((path) => documentId(name, path))
        .filter((id) => !refused.has(id))
    )
  )
  const others = yield* Effect.forEach(given, (name) =>
    Effect.map(before.documents.fileStates(name), (files) =>
      Array.from(files.keys(), (path) => documentId(name, path))
    )
  )
  return [...new Set([...all, ...others].flat())]
})

const absentFrom = (catalog: Catalog, ids: ReadonlyArray<string>) =>
  Effect.filter(ids, (id) => Effect.map(catalog.documents.get(id), Option.isNone))

/**
 * Takes over from the generation before what a run cannot read from a disk: documents given through the API, those of
 * sources that are away, files that cannot be read now. Returns the ids of documents that the new generation lacks all
 * the same.
 */
export const carryDocuments = Effect.fn("carryDocuments")(function* (options: {
  readonly from: Catalog
  readonly to: Catalog
  readonly writer: IndexWriter
  readonly outcomes: ReadonlyArray<SourceOutcome>
  /** Documents that have been tried in this run and failed. */
  readonly failed: ReadonlySet<string>
  readonly chunker: Chunker["Service"]
  readonly minimumChunkLength: number
}): Effect.fn.Return<ReadonlyArray<string>, AppError> {
  const { chunker, from, minimumChunkLength, outcomes, to, writer } = options
  const given = yield* getGivenSources(from)
  yield* setFact(to, "givenSources", JSON.stringify(given))
  // what was deleted through the API while the new generation was half-built
  for (const name of given) {
    const kept = yield* from.documents.fileStates(name)
    const gone = [...(yield* to.documents.fileStates(name)).keys()].filter((path) => !kept.has(path))
    yield* writer.remove(gone.map((path) => documentId(name, path)))
  }
  const expected = yield* expectedIn(from, given, outcomes)
  const absent = yield* absentFrom(to, expected)
  const wanted = absent.filter((id) => !options.failed.has(id))
  yield* writer.write(restored(from, wanted, chunker, minimumChunkLength))
  return yield* absentFrom(to, absent)
})
