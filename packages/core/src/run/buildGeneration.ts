import { countDocuments } from "../index/indexCounts.ts"
import { Effect } from "effect"
import type { AppError } from "../domain/errors.ts"
import type { OpenedSourcesOfAll } from "../sources/Sources.ts"
import { carryDocuments } from "./carryDocuments.ts"
import { ensureVectors } from "./ensureVectors.ts"
import { getFact } from "../index/facts.ts"
import type { Generation } from "../index/Generation.ts"
import { keepGivenApart } from "./givenDocuments.ts"
import { makeIndexWriter } from "./IndexWriter.ts"
import type { RunOptions } from "./RunOptions.ts"
import type { RunServices } from "./RunServices.ts"
import type { RunState } from "./RunState.ts"
import { scanOptions } from "./scanSource.ts"
import { removeForgottenSources, updateSources } from "./updateSources.ts"

/** Says what a generation is built for: the same words mean that a half-built one can be resumed. */
const purposeOf = ({ chunker, embedders }: RunServices, live: Generation, documents: boolean): string =>
  JSON.stringify([live.id, chunker.fingerprint, embedders.configured, documents])

interface Build {
  readonly services: RunServices
  readonly opened: OpenedSourcesOfAll
  readonly state: RunState
  readonly options: RunOptions
}

/** Fills a generation from the sources, and from the one before what they cannot give. Returns what it lacks. */
const fill = Effect.fn("fillGeneration")(function* (
  { opened, options, services, state }: Build,
  generation: Generation,
  before: Generation | null
): Effect.fn.Return<ReadonlyArray<string>, AppError> {
  const { builder, chunker, config } = services
  const { catalog } = generation
  const writer = yield* makeIndexWriter(builder, generation, chunker, state)
  const outcomes = yield* updateSources(opened, writer, scanOptions(services, catalog, state, options))
  if (opened.complete) yield* removeForgottenSources(generation, writer, opened)
  const lacking =
    before === null
      ? []
      : yield* carryDocuments({
          from: before.catalog,
          to: catalog,
          writer,
          outcomes,
          failed: state.failedDocuments("chunk", "embed", "commit"),
          chunker,
          minimumChunkLength: config.indexing.minimumChunkLength
        })
  yield* writer.finish
  return lacking
})

/** Switches to a generation when its vectors are all in the store; otherwise the live one stays. */
const promoteWhole = Effect.fnUntraced(function* (
  { builder }: RunServices,
  state: RunState,
  id: string
): Effect.fn.Return<boolean, AppError> {
  const outbox = yield* Effect.scoped(Effect.flatMap(builder.open(id), ({ catalog }) => catalog.outbox.count))
  if (outbox > 0) {
    state.warn(`the index in use stays: the vector store lacks ${outbox} writes of ${id}`)
    return false
  }
  yield* builder.promote(id)
  return true
})

/**
 * Builds the next generation beside the live one and switches to it when it has every document that the live one has.
 * A build that fails or is cancelled stays, unused, and the next run for the same purpose resumes it.
 */
export const buildGeneration = Effect.fn("buildGeneration")(function* (
  build: Build,
  live: Generation,
  documents: boolean
): Effect.fn.Return<void, AppError> {
  const { services, state } = build
  const { builder } = services
  const purpose = purposeOf(services, live, documents)
  const { id, resumed } = yield* builder.create({ documents, purpose })
  if (resumed) state.warn(`the build of ${id}, which an earlier run left incomplete, is resumed`)
  const lacking = yield* Effect.scoped(
    Effect.flatMap(builder.open(id), (generation) => fill(build, generation, live))
  )
  if (lacking.length > 0) {
    state.warn(
      `${live.id} stays in use: ${id} lacks ${lacking.length} of its documents, ${lacking[0]} the first; the next run goes on`
    )
    return
  }
  yield* promoteWhole(services, state, id)
})

/** Builds a generation from nothing and switches to it, whatever state the live one is in. */
export const rebuildGeneration = Effect.fn("rebuildGeneration")(function* (
  build: Build
): Effect.fn.Return<void, AppError> {
  const { services, state } = build
  const { builder } = services
  yield* Effect.scoped(
    Effect.gen(function* () {
      const before = yield* services.reader.fresh.pipe(
        Effect.catch((error) =>
          Effect.sync(() => {
            state.warn(
              `nothing can be taken over from the index in use, documents given through the API neither: ${error.message}`
            )
            return null
          })
        )
      )
      const opened =
        before === null ? build.opened : yield* keepGivenApart(before.catalog, build.opened, state)
      const { id } = yield* builder.create({ documents: false, fresh: true, purpose: "" })
      const lacking = yield* Effect.scoped(
        Effect.flatMap(builder.open(id), (generation) => fill({ ...build, opened }, generation, before))
      ).pipe(Effect.onError(() => Effect.ignore(builder.discard(id))))
      if (lacking.length > 0) state.warn(`${lacking.length} documents could not be brought over`)
      if (!(yield* promoteWhole(services, state, id))) yield* builder.discard(id)
    })
  )
})

/** True when an embedder that learned from the corpus has seen too little of what is there now. */
export const needsRefit = Effect.fnUntraced(function* ({ catalog, embedderProvider }: Generation) {
  const fitted = Number(yield* getFact(catalog, "fittedChunks"))
  if (embedderProvider.fit === undefined || !(fitted > 0)) return false
  const { chunks } = yield* countDocuments(catalog)
  return chunks > fitted * (1 + (embedderProvider.refitGrowth ?? 0.5))
})

/** Builds a generation with the same documents whose embedder is fitted on all that is there now. */
export const refit = Effect.fn("refit")(function* (
  services: RunServices,
  state: RunState
): Effect.fn.Return<void, AppError> {
  const { builder, chunker } = services
  const { id } = yield* builder.create({ documents: true, purpose: "refit" })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const generation = yield* builder.open(id)
      yield* ensureVectors(builder, generation, state)
      const writer = yield* makeIndexWriter(builder, generation, chunker, state)
      yield* writer.finish
    })
  ).pipe(Effect.onError(() => Effect.ignore(builder.discard(id))))
  if (!(yield* promoteWhole(services, state, id))) yield* builder.discard(id)
})
