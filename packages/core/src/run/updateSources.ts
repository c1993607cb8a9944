import { sourcesOf } from "../index/sourcesOf.ts"
import { Effect, Result, Stream } from "effect"
import { equals } from "../domain/Filter.ts"
import type { IndexError, InvalidInput } from "../domain/errors.ts"
import type { OpenedSources, Source } from "../ports/SourceProvider.ts"
import { getGivenSources } from "../index/facts.ts"
import type { Generation } from "../index/Generation.ts"
import type { IndexWriter } from "./IndexWriter.ts"
import { loadChanged, type Paths, type ScanOptions, walkSource } from "./scanSource.ts"

/** What a run found of a source. */
export interface SourceOutcome {
  readonly name: string
  /** Paths that are on its disk, or may be; null when nobody could look. */
  readonly present: Paths | null
  /** Ids of files that are no documents (any more). */
  readonly refused: ReadonlySet<string>
}

/** Brings the documents of one source up to date. */
const updateSource = Effect.fn("updateSource")(function* (
  source: Source,
  writer: IndexWriter,
  options: ScanOptions
): Effect.fn.Return<SourceOutcome, IndexError> {
  const { state } = options
  const { name } = source
  const refused = new Set<string>()
  const walked = yield* Effect.result(walkSource(source, options))
  if (Result.isFailure(walked)) {
    // without a whole walk nothing can be called gone: the documents of this source stay as they are
    const { code, message } = walked.failure
    state.fail({ documentId: name, stage: "walk", code, message })
    return { name, present: null, refused }
  }
  const scan = walked.success
  const gone = new Set(scan.gone)
  const same = [...scan.unchanged]
  yield* writer.write(
    loadChanged(scan, options).pipe(
      Stream.flatMap((result) => {
        if (result._tag === "Refused") refused.add(result.documentId)
        if (result._tag === "Touched") same.push(result.documentId)
        return result._tag === "Prepared" ? Stream.succeed(result.prepared) : Stream.empty
      })
    ),
    (id) => gone.has(id) || refused.has(id)
  )
  yield* writer.remove([...scan.gone, ...refused])
  if (source.revision !== null) yield* options.catalog.documents.setRevision(same, source.revision)
  return { name, present: scan.present, refused }
})

/** Removes the documents of sources that the configuration no longer names. */
export const removeForgottenSources = Effect.fn("removeForgottenSources")(function* (
  { catalog }: Generation,
  writer: IndexWriter,
  opened: OpenedSources
): Effect.fn.Return<void, IndexError | InvalidInput> {
  const kept = new Set([...opened.sources, ...opened.missing].map((source) => source.name))
  for (const name of yield* getGivenSources(catalog)) kept.add(name)
  for (const { name } of yield* sourcesOf(catalog)) {
    if (kept.has(name)) continue
    let page = yield* catalog.documents.list({ where: equals("repo", name), first: 1_000 })
    while (page.documents.length > 0) {
      yield* writer.remove(page.documents.map((document) => document.id))
      page = yield* catalog.documents.list({ where: equals("repo", name), first: 1_000 })
    }
  }
})

/** Brings the documents of all opened sources up to date, one source after the other. */
export const updateSources = Effect.fn("updateSources")(function* (
  opened: OpenedSources,
  writer: IndexWriter,
  options: ScanOptions
): Effect.fn.Return<ReadonlyArray<SourceOutcome>, IndexError> {
  const outcomes = yield* Effect.forEach(opened.sources, (source) => updateSource(source, writer, options))
  const away = opened.missing.map(({ name }) => ({ name, present: null, refused: new Set<string>() }))
  return [...outcomes, ...away]
})
