import { Clock, Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { type Document, documentId } from "../domain/Document.ts"
import type { CatalogError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { FileState } from "../ports/catalog/DocumentCatalog.ts"
import type { Chunker } from "../ports/Chunker.ts"
import type { Source, SourceFile } from "../ports/SourceProvider.ts"
import type { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import type { RunOptions } from "./RunOptions.ts"
import { prepareDocument, type PreparedDocument } from "./prepareDocument.ts"
import { releaseDocument } from "../index/releaseMemory.ts"
import type { RunServices } from "./RunServices.ts"
import type { RunState } from "./RunState.ts"

export interface ScanOptions {
  readonly loaders: DocumentLoaders["Service"]
  readonly chunker: Chunker["Service"]
  readonly catalog: Catalog
  readonly state: RunState
  /** Load every file, changed or not. */
  readonly full: boolean
  readonly concurrency: number
  readonly minimumChunkLength: number
}

/** The options of a scan for one generation. */
export const scanOptions = (
  { chunker, config, loaders }: RunServices,
  catalog: Catalog,
  state: RunState,
  { full = false }: RunOptions
): ScanOptions => ({
  loaders,
  chunker,
  catalog,
  state,
  full,
  concurrency: config.indexing.concurrency,
  minimumChunkLength: config.indexing.minimumChunkLength
})

/** Paths below a source: single ones, and all below a folder. */
export interface Paths {
  readonly has: (path: string) => boolean
}

/** Collects paths. */
export const makePaths = () => {
  const single = new Set<string>()
  const folders: Array<string> = []
  return {
    /** A path that ends with a slash stands for all below it. */
    add: (path: string): void => {
      if (path.endsWith("/")) folders.push(path)
      else single.add(path)
    },
    has: (path: string): boolean => single.has(path) || folders.some((folder) => path.startsWith(folder))
  }
}

/** What a walk found: files to load, and documents whose files are gone or no longer wanted. */
export interface SourceScan {
  readonly source: Source
  readonly changed: ReadonlyArray<SourceFile>
  readonly known: ReadonlyMap<string, FileState>
  /** Ids of documents whose files have not changed by size and time. */
  readonly unchanged: ReadonlyArray<string>
  /** Paths of files a loader takes, and of what the disk would not show. */
  readonly present: Paths
  /** Ids of documents to remove. */
  readonly gone: ReadonlyArray<string>
}

/** Walks a source and compares it with the catalog by size and modification time. */
export const walkSource = Effect.fn("walkSource")(function* (source: Source, options: ScanOptions) {
  const { state } = options
  const known = yield* options.catalog.documents.fileStates(source.name)
  const changed: Array<SourceFile> = []
  const unchanged: Array<string> = []
  const present = makePaths()
  const isIndexed = (path: string) =>
    path.endsWith("/") ? [...known.keys()].some((one) => one.startsWith(path)) : known.has(path)
  let files = 0
  yield* source.entries.pipe(
    Stream.runForEach((entry) =>
      Effect.sync(() => {
        if (entry._tag === "Skip") {
          const { path, reason } = entry
          // what the disk would not show is not gone; where documents are indexed nobody knows whether they are still true
          if (entry.unreadable === true) present.add(path)
          if (entry.unreadable === true && isIndexed(path))
            state.fail({
              documentId: documentId(source.name, path),
              stage: "walk",
              code: "SOURCE_UNAVAILABLE",
              message: `it could not be looked at, and what is indexed of it is kept: ${reason}`
            })
          else state.skip({ source: source.name, path, reason })
          return
        }
        if (options.loaders.mediaTypeOf(entry.path) === undefined) {
          state.skip({
            source: source.name,
            path: entry.path,
            reason: "no configured loader takes this kind of file"
          })
          return
        }
        files++
        state.count("files")
        present.add(entry.path)
        const before = known.get(entry.path)
        if (!options.full && before?.size === entry.size && before.modifiedAt === entry.modifiedAt) {
          state.count("unchanged")
          unchanged.push(documentId(source.name, entry.path))
        } else {
          changed.push(entry)
        }
      })
    )
  )
  if (files === 0) {
    state.warn(
      `the source ${source.name} (${source.location}) holds no file to index; check its path, include and exclude`
    )
  }
  state.expect(
    changed.length,
    changed.reduce((sum, file) => sum + file.size, 0)
  )
  const gone = [...known.keys()]
    .filter((path) => !present.has(path))
    .map((path) => documentId(source.name, path))
  return { source, changed, unchanged, known, present, gone } satisfies SourceScan
})

/** The coarsest clock of a file system in use (FAT), in milliseconds. */
const clockTick = 2_000
/** A time that no file has. */
const unsettled = -1

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** What became of a file that looked changed. */
type LoadResult =
  | { readonly _tag: "Prepared"; readonly prepared: PreparedDocument }
  /** Not a document any more; its old version has to go. */
  | { readonly _tag: "Refused"; readonly documentId: string }
  /** The same content as before, with other times. */
  | { readonly _tag: "Touched"; readonly documentId: string }
  /** A failure that keeps the old version. */
  | { readonly _tag: "Kept" }

const kept: LoadResult = { _tag: "Kept" }

/** A file that was read: a document, or what became of it instead. */
type ReadResult =
  | { readonly _tag: "Document"; readonly document: Document; readonly state: FileState }
  | Exclude<LoadResult, { readonly _tag: "Prepared" }>

/** Reads a file, and loads it when its content is another than before. The bytes are released before it is chunked. */
const readDocument = Effect.fnUntraced(function* (
  { source, known }: SourceScan,
  file: SourceFile,
  options: ScanOptions
): Effect.fn.Return<ReadResult, CatalogError> {
  const { state } = options
  const id = documentId(source.name, file.path)
  const startedAt = yield* Clock.currentTimeMillis
  const read = yield* Effect.result(file.read)
  if (read._tag === "Failure") {
    state.fail({ documentId: id, stage: "load", code: read.failure.code, message: read.failure.message })
    return kept
  }
  const bytes = read.success
  state.count("bytes", bytes.length)
  const before = known.get(file.path)
  // a file written a moment ago may be written again within the same tick of its clock: the next run looks at its bytes
  const settled = startedAt - file.modifiedAt > clockTick
  const fileState = { path: file.path, size: file.size, modifiedAt: settled ? file.modifiedAt : unsettled }
  if (before !== undefined && !options.full) {
    const contentHash = sha256(bytes)
    if (contentHash === before.contentHash) {
      yield* options.catalog.documents.touchFile(id, { ...fileState, contentHash })
      state.count("unchanged")
      return { _tag: "Touched", documentId: id }
    }
  }
  const loaded = yield* Effect.result(options.loaders.load({ source: source.name, path: file.path, bytes }))
  if (loaded._tag === "Failure") {
    state.skip({ source: source.name, path: file.path, reason: loaded.failure.reason })
    return { _tag: "Refused", documentId: id }
  }
  const document = loaded.success
  return { _tag: "Document", document, state: { ...fileState, contentHash: document.contentHash } }
})

const loadFile = Effect.fnUntraced(function* (
  scan: SourceScan,
  file: SourceFile,
  options: ScanOptions
): Effect.fn.Return<LoadResult, CatalogError> {
  const { chunker, minimumChunkLength, state } = options
  const id = documentId(scan.source.name, file.path)
  yield* state.publish("load", id)
  const read = yield* readDocument(scan, file, options)
  if (read._tag !== "Document") return read
  yield* releaseDocument(read.document.text.length)
  const { revision } = scan.source
  const prepared = yield* Effect.result(
    prepareDocument(chunker, read.document, read.state, revision, minimumChunkLength)
  )
  if (prepared._tag === "Failure") {
    const { code, message } = prepared.failure
    state.fail({ documentId: id, stage: "chunk", code, message })
    return kept
  }
  return { _tag: "Prepared", prepared: prepared.success }
})

/** Loads and chunks the changed files of a source, in order, a few at a time. */
export const loadChanged = (
  scan: SourceScan,
  options: ScanOptions
): Stream.Stream<LoadResult, CatalogError> =>
  Stream.fromIterable(scan.changed, { chunkSize: 1 }).pipe(
    Stream.mapEffect(
      (file) =>
        Effect.tap(
          loadFile(scan, file, options),
          Effect.sync(() => options.state.finished(file.size))
        ),
      { concurrency: options.concurrency }
    )
  )
