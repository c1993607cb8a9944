import { Effect, Result, type Scope, Stream } from "effect"
import type { AppConfig } from "../config/OmniragConfig.ts"
import { equals } from "../domain/Filter.ts"
import type { AppError, IndexError } from "../domain/errors.ts"
import type { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { Chunker } from "../ports/Chunker.ts"
import type { OpenedSources, Source } from "../ports/SourceProvider.ts"
import type { DocumentLoaders } from "./DocumentLoaders.ts"
import type { Embedders } from "./Embedders.ts"
import { type Generation, getFact, getGivenSources, setFact } from "./Generation.ts"
import type { Generations } from "./Generations.ts"
import { carryGivenDocuments } from "./givenDocuments.ts"
import type { RunOptions } from "./Indexer.ts"
import { ensureVectors } from "./ensureVectors.ts"
import { type IndexWriter, makeIndexWriter } from "./IndexWriter.ts"
import { planRun } from "./planRun.ts"
import type { RunState } from "./RunState.ts"
import { loadChanged, type ScanOptions, walkSource } from "./scanSource.ts"
import type { Sources } from "./Sources.ts"

/** The services a run works with. */
export interface RunServices {
  readonly config: AppConfig["Service"]
  readonly generations: Generations["Service"]
  readonly catalogs: CatalogProvider["Service"]
  readonly embedders: Embedders["Service"]
  readonly sources: Sources["Service"]
  readonly loaders: DocumentLoaders["Service"]
  readonly chunker: Chunker["Service"]
}

/** Brings the documents of one source up to date. */
const indexSource = Effect.fn("indexSource")(function* (
  source: Source,
  writer: IndexWriter,
  options: ScanOptions
): Effect.fn.Return<void, IndexError> {
  const { state } = options
  const walked = yield* Effect.result(walkSource(source, options))
  if (Result.isFailure(walked)) {
    // without a whole walk nothing can be called gone: the documents of this source stay as they are
    const { code, message } = walked.failure
    state.fail({ documentId: source.name, stage: "walk", code, message })
    return
  }
  const scan = walked.success
  const refused: Array<string> = []
  yield* writer.write(
    loadChanged(scan, options).pipe(
      Stream.flatMap((result) => {
        if (result._tag === "Refused") refused.push(result.documentId)
        return result._tag === "Prepared" ? Stream.succeed(result.prepared) : Stream.empty
      })
    )
  )
  yield* writer.remove([...scan.gone, ...refused])
})

/** Removes the documents of sources that the configuration no longer names. */
const removeForgottenSources = Effect.fnUntraced(function* (
  generation: Generation,
  writer: IndexWriter,
  opened: OpenedSources
) {
  const named = new Set([...opened.sources, ...opened.missing].map((source) => source.name))
  const given = new Set(yield* getGivenSources(generation.catalog))
  for (const { name } of yield* generation.catalog.sources) {
    if (named.has(name) || given.has(name)) continue
    let page = yield* generation.catalog.documents({ where: equals("repo", name), first: 1_000 })
    while (page.documents.length > 0) {
      yield* writer.remove(page.documents.map((document) => document.id))
      page = yield* generation.catalog.documents({ where: equals("repo", name), first: 1_000 })
    }
  }
})

/** Brings one generation up to date with the sources. */
const updateGeneration = Effect.fnUntraced(function* (
  services: RunServices,
  generation: Generation,
  opened: OpenedSources,
  state: RunState,
  options: RunOptions,
  before?: Generation
) {
  const { config, chunker, generations } = services
  const minimumChunkLength = config.indexing.minimumChunkLength
  const writer = yield* makeIndexWriter(generations, generation, chunker, state)
  if (before !== undefined) {
    const given = yield* getGivenSources(before.catalog)
    yield* setFact(generation.catalog, "givenSources", JSON.stringify(given))
    yield* writer.write(carryGivenDocuments(before.catalog, chunker, minimumChunkLength))
  }
  for (const source of opened.sources) {
    yield* indexSource(source, writer, {
      loaders: services.loaders,
      chunker,
      catalog: generation.catalog,
      state,
      full: options.full === true,
      concurrency: config.indexing.concurrency,
      minimumChunkLength
    })
  }
  if (options.sources === undefined) yield* removeForgottenSources(generation, writer, opened)
  yield* writer.finish
})

/** Builds the next generation beside the live one and switches to it; a failure leaves the live one as it is. */
const buildGeneration = (
  services: RunServices,
  live: Generation | null,
  documents: boolean,
  opened: OpenedSources,
  state: RunState,
  options: RunOptions
) =>
  Effect.gen(function* () {
    const { generations } = services
    const id = yield* generations.create({ documents, fresh: live === null })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const generation = yield* generations.open(id)
        const before = documents || live === null ? undefined : live
        yield* updateGeneration(
          services,
          generation,
          opened,
          state,
          { ...options, sources: undefined },
          before
        )
      })
    ).pipe(Effect.onError(() => Effect.ignore(generations.discard(id))))
    yield* generations.promote(id)
  })

/** True when an embedder that learned from the corpus has seen too little of what is there now. */
const needsRefit = Effect.fnUntraced(function* (generation: Generation) {
  const { embedderProvider, catalog } = generation
  const fitted = Number(yield* getFact(catalog, "fittedChunks"))
  if (embedderProvider.fit === undefined || !(fitted > 0)) return false
  const { chunks } = yield* catalog.counts
  return chunks > fitted * (1 + (embedderProvider.refitGrowth ?? 0.5))
})

/** Builds a generation with the same documents whose embedder is fitted on all that is there now. */
const refit = Effect.fn("refit")(function* (services: RunServices, state: RunState) {
  const { generations } = services
  const id = yield* generations.create({ documents: true })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const generation = yield* generations.open(id)
      yield* ensureVectors(generations, generation, state)
      const writer = yield* makeIndexWriter(generations, generation, services.chunker, state)
      yield* writer.finish
    })
  ).pipe(Effect.onError(() => Effect.ignore(generations.discard(id))))
  yield* generations.promote(id)
})

/**
 * One run of the indexer, from the write lock to the durable store. What fails for one file is in the state; what this
 * effect fails with ended the run.
 */
export const runIndex = Effect.fn("runIndex")(function* (
  services: RunServices,
  options: RunOptions,
  state: RunState
): Effect.fn.Return<void, AppError, Scope.Scope> {
  const { generations, sources } = services
  yield* services.catalogs.lock(generations.folder, `process ${process.pid} (run ${state.id})`)
  yield* generations.sweep
  const opened = yield* sources.open(options.sources)
  state.setSources(opened.sources.map((source) => source.name))
  opened.warnings?.forEach((warning) => state.warn(warning))
  opened.missing.forEach(({ name, location, hint }) =>
    state.warn(`the source ${name} is missing (${location}); what is indexed of it is kept. ${hint}`)
  )
  if (options.rebuild === true) return yield* buildGeneration(services, null, false, opened, state, options)

  const live = yield* generations.live
  const plan = yield* planRun(live, services.chunker, services.embedders.configured)
  if (plan._tag === "NewGeneration") {
    state.warn(`the index is built anew beside the one in use: ${plan.reason}`)
    const all = yield* sources.open()
    return yield* buildGeneration(services, live, plan.documents, all, state, options)
  }
  yield* updateGeneration(services, live, opened, state, options)
  if (yield* needsRefit(live)) yield* refit(services, state)
})
