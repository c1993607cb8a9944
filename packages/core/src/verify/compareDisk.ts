import { sourcesOf } from "../index/sourcesOf.ts"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { documentId } from "../domain/Document.ts"
import type { IndexError, SourceError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { Source, SourceFile } from "../ports/SourceProvider.ts"
import type { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import { getGivenSources } from "../index/facts.ts"
import { makePaths } from "../run/scanSource.ts"
import type { OpenedSourcesOfAll } from "../sources/Sources.ts"

/** Ids of documents that are not what the disk implies. */
export interface DiskDrift {
  /** Files whose content the index does not have. */
  readonly stale: ReadonlyArray<string>
  /** Documents whose file, or whole source, is gone. */
  readonly gone: ReadonlyArray<string>
  /** What could not be compared, with the reason. */
  readonly unreadable: ReadonlyArray<string>
}

/** Compares one source by content hash, so that a change which kept size and time is found too. */
const compareSource = Effect.fnUntraced(function* (
  catalog: Catalog,
  source: Source,
  loaders: DocumentLoaders["Service"]
): Effect.fn.Return<DiskDrift, SourceError | IndexError> {
  const known = yield* catalog.documents.fileStates(source.name)
  const present = makePaths()
  const stale: Array<string> = []
  const unreadable: Array<string> = []
  const compare = Effect.fnUntraced(function* (file: SourceFile) {
    present.add(file.path)
    const id = documentId(source.name, file.path)
    const bytes = yield* Effect.result(file.read)
    if (bytes._tag === "Failure") {
      unreadable.push(`${id}: ${bytes.failure.reason}`)
      return
    }
    const before = known.get(file.path)
    if (createHash("sha256").update(bytes.success).digest("hex") === before?.contentHash) return
    // a file that loaders refuse is rightly not in the index
    const request = { source: source.name, path: file.path, bytes: bytes.success }
    const loaded = yield* Effect.result(loaders.load(request))
    if (loaded._tag === "Success" || before !== undefined) stale.push(id)
  })
  yield* Stream.runForEach(source.entries, (entry) => {
    if (entry._tag === "File")
      return loaders.mediaTypeOf(entry.path) === undefined ? Effect.void : compare(entry)
    if (entry.unreadable === true) {
      present.add(entry.path)
      unreadable.push(`${documentId(source.name, entry.path)}: ${entry.reason}`)
    }
    return Effect.void
  })
  const gone = [...known.keys()].filter((path) => !present.has(path))
  return { stale, gone: gone.map((path) => documentId(source.name, path)), unreadable }
})

/** Compares every document of a catalog with its source. */
export const compareDisk = Effect.fn("compareDisk")(function* (
  catalog: Catalog,
  opened: OpenedSourcesOfAll,
  loaders: DocumentLoaders["Service"]
): Effect.fn.Return<DiskDrift, SourceError | IndexError> {
  const parts = yield* Effect.forEach(opened.sources, (source) => compareSource(catalog, source, loaders))
  const away = opened.missing.map(({ name, hint }) => `${name}: ${hint}`)
  const kept = new Set([...opened.sources, ...opened.missing].map(({ name }) => name))
  for (const name of yield* getGivenSources(catalog)) kept.add(name)
  const forgotten = opened.complete
    ? yield* Effect.forEach(
        (yield* sourcesOf(catalog)).filter(({ name }) => !kept.has(name)),
        ({ name }) =>
          Effect.map(catalog.documents.fileStates(name), (files) =>
            Array.from(files.keys(), (path) => documentId(name, path))
          )
      )
    : []
  return {
    stale: parts.flatMap(({ stale }) => stale),
    gone: [...parts.flatMap(({ gone }) => gone), ...forgotten.flat()],
    unreadable: [...parts.flatMap(({ unreadable }) => unreadable), ...away]
  }
})
