import { Effect, type Scope } from "effect"
import type { AppError } from "../domain/errors.ts"
import { buildGeneration, needsRefit, rebuildGeneration, refit } from "./buildGeneration.ts"
import { keepGivenApart } from "./givenDocuments.ts"
import { unknownSources } from "../sources/Sources.ts"
import type { RunOptions } from "./RunOptions.ts"
import type { RunServices } from "./RunServices.ts"
import { makeIndexWriter } from "./IndexWriter.ts"
import { planRun } from "./planRun.ts"
import type { RunState } from "./RunState.ts"
import { scanOptions } from "./scanSource.ts"
import { removeForgottenSources, updateSources } from "./updateSources.ts"

/** Opens the sources a run is about, and tells the state what is wrong with them. */
const openSources = Effect.fnUntraced(function* (
  { sources }: RunServices,
  names: ReadonlyArray<string> | undefined,
  state: RunState
) {
  const opened = yield* sources.open(names)
  state.setSources(opened.sources.map((source) => source.name))
  opened.warnings?.forEach((warning) => state.warn(warning))
  opened.missing.forEach(({ name, location, hint }) =>
    state.warn(`the source ${name} is missing (${location}); what is indexed of it is kept. ${hint}`)
  )
  return opened
})

/**
 * The sources a caller may run: all of them (undefined), or those it may know of. A name it may not know is as unknown as
 * one that does not exist.
 */
const visibleNames = Effect.fnUntraced(function* (
  { access, sources }: RunServices,
  names: ReadonlyArray<string> | undefined
) {
  const view = yield* access.view
  if (view.everything) return names
  const all = yield* sources.open()
  const known = [...all.sources, ...all.missing].map(({ name }) => name).filter(view.mayKnowSource)
  const unknown = (names ?? []).filter((name) => !known.includes(name))
  if (unknown.length > 0) return yield* unknownSources(unknown, known)
  return names ?? known
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
  const { builder, chunker, embedders, reader } = services
  yield* builder.lock(`run ${state.id}`)
  if (options.rebuild === true) {
    const opened = yield* openSources(services, undefined, state)
    return yield* rebuildGeneration({ services, opened, state, options })
  }

  const live = yield* reader.fresh
  const plan = yield* planRun(live, chunker, embedders.configured)
  if (plan._tag === "NewGeneration") {
    state.warn(`a new index is built beside the one in use: ${plan.reason}`)
    // a whole generation, so all sources
    const opened = yield* keepGivenApart(live.catalog, yield* openSources(services, undefined, state), state)
    return yield* buildGeneration({ services, opened, state, options }, live, plan.documents)
  }
  // what cannot be removed costs room and nothing else
  yield* builder.sweep.pipe(
    Effect.catch((error) =>
      Effect.sync(() => state.warn(`generations no longer in use could not be removed: ${error.message}`))
    )
  )
  const names = yield* visibleNames(services, options.sources)
  const found = yield* openSources(services, names, state)
  const opened = yield* keepGivenApart(live.catalog, found, state)
  const writer = yield* makeIndexWriter(builder, live, chunker, state)
  yield* updateSources(opened, writer, scanOptions(services, live.catalog, state, options))
  if (names === undefined && opened.complete) yield* removeForgottenSources(live, writer, opened)
  yield* writer.finish
  if (yield* needsRefit(live)) yield* refit(services, state)
})
