import { Clock, Effect, Option, type Scope, Stream } from "effect"
import { documentId } from "../domain/Document.ts"
import {
  type AppError,
  CatalogError,
  type ChunkingError,
  type DocumentRefused,
  EmbeddingError,
  Forbidden,
  type IndexError,
  type IndexLocked,
  InvalidInput,
  VectorStoreError
} from "../domain/errors.ts"
import type { RunFailure } from "../domain/IndexRun.ts"
import type { DocumentRecord } from "../domain/DocumentRecord.ts"
import { checkDocumentInput, type DocumentInput } from "../sources/documentInput.ts"
import { getGivenSources } from "../index/facts.ts"
import type { Generation } from "../index/Generation.ts"
import { fieldsOfDocument } from "../access/fieldsOfDocument.ts"
import { rememberGivenSource } from "./givenDocuments.ts"
import { makeIndexWriter } from "./IndexWriter.ts"
import { prepareDocument } from "./prepareDocument.ts"
import type { RunServices } from "./RunServices.ts"
import { RunState } from "./RunState.ts"

/** Opens the live generation for a change outside of a run. */
const openForChange = Effect.fnUntraced(function* ({ builder, reader }: RunServices, what: string) {
  yield* builder.lock(what)
  return yield* reader.fresh
})

/** A configured source is not for given documents: a run would remove what is not on its disk. */
const refuseConfigured = Effect.fnUntraced(function* (
  { sources }: RunServices,
  { catalog }: Generation,
  name: string
) {
  // looking at the sources may mean a fetch; a name that was given documents before is no source
  if ((yield* getGivenSources(catalog)).includes(name)) return
  const configured = yield* sources.open().pipe(
    Effect.map((opened) => [...opened.sources, ...opened.missing].map((source) => source.name)),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  if (configured.includes(name)) {
    return yield* new InvalidInput({
      field: "source",
      message: `"${name}" is a configured source, whose documents come from its files; choose another name`
    })
  }
})

/** What kept the one document from being written, as an error of its stage. */
const toError = ({ stage, message }: RunFailure, embedder: string): AppError & IndexError => {
  if (stage === "embed") return new EmbeddingError({ embedder, message, retryable: true })
  if (stage === "store") return new VectorStoreError({ store: "", reason: "unavailable", message })
  return new CatalogError({ operation: stage, message })
}

/** Indexes one document that is on no disk, with the write lock; returns when it can be found. */
export const upsertGivenDocument = Effect.fn("upsertGivenDocument")(function* (
  services: RunServices,
  input: DocumentInput
): Effect.fn.Return<
  DocumentRecord,
  Forbidden | InvalidInput | DocumentRefused | ChunkingError | IndexLocked | IndexError,
  Scope.Scope
> {
  const { builder, chunker, config, loaders } = services
  yield* checkDocumentInput(input)
  const view = yield* services.access.view
  // before anything that would tell whether there is such a source
  if (!view.mayKnowSource(input.source)) return yield* new Forbidden({ action: "write" })
  const generation = yield* openForChange(services, "upsertDocument")
  const { catalog } = generation
  yield* refuseConfigured(services, generation, input.source)
  const bytes = new TextEncoder().encode(input.text)
  const mediaType = input.mediaType ?? loaders.mediaTypeOf(input.path) ?? "text/markdown"
  const loaded = yield* loaders.load({ source: input.source, path: input.path, bytes, mediaType })
  const document = { ...loaded, metadata: { ...loaded.metadata, ...input.metadata } }
  if (!view.seesFields(fieldsOfDocument(document))) return yield* new Forbidden({ action: "write" })
  const file = {
    path: input.path,
    size: bytes.length,
    modifiedAt: yield* Clock.currentTimeMillis,
    contentHash: document.contentHash
  }
  const { minimumChunkLength } = config.indexing
  const prepared = yield* prepareDocument(chunker, document, file, null, minimumChunkLength)
  const state = yield* RunState.make("upsert")
  const writer = yield* makeIndexWriter(builder, generation, chunker, state)
  yield* rememberGivenSource(catalog, input.source)
  yield* writer.write(Stream.succeed(prepared))
  yield* writer.finish
  const failure = state.snapshot().failures[0]
  if (failure !== undefined) return yield* toError(failure, generation.selection.use)
  const id = documentId(input.source, input.path)
  return yield* Effect.flatMap(
    catalog.documents.get(id),
    Option.match({
      onNone: () => Effect.die(new Error(`${id} is not there after its commit`)),
      onSome: Effect.succeed
    })
  )
})

/** Removes documents with the write lock; returns how many there were. */
export const deleteGivenDocuments = Effect.fn("deleteGivenDocuments")(function* (
  services: RunServices,
  ids: ReadonlyArray<string>
): Effect.fn.Return<number, IndexLocked | IndexError, Scope.Scope> {
  const generation = yield* openForChange(services, "deleteDocuments")
  const state = yield* RunState.make("delete")
  const writer = yield* makeIndexWriter(services.builder, generation, services.chunker, state)
  const view = yield* services.access.view
  const known = yield* generation.catalog.documents.getMany([...new Set(ids)])
  const removed = yield* writer.remove(known.filter(view.seesDocument).map(({ id }) => id))
  yield* writer.finish
  return removed
})
