import { Cron, Effect, Result, Schedule, Stream } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import type { InvalidInput, SourceError } from "../domain/errors.ts"
import { Indexer } from "./Indexer.ts"
import { Sources } from "./Sources.ts"

/** Before a watch that has failed is tried again (a folder that is away, too few kernel watches). */
const watchAgainAfter = "30 seconds"
/** Before a run is tried again while another one holds the index. */
const waitForOthers = "1 second"

/** Emits after each quiet interval that follows a change below any source. */
const watchSources = (quietMs: number): Stream.Stream<string, SourceError | InvalidInput, Sources> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const opened = yield* (yield* Sources).open()
      const watched = opened.sources.flatMap(({ name, changes }) =>
        changes === undefined
          ? []
          : [
              changes.pipe(
                Stream.tapError((error) => Effect.logWarning(`${name} is not watched now: ${error.message}`)),
                Stream.retry(Schedule.spaced(watchAgainAfter))
              )
            ]
      )
      return Stream.mergeAll(watched, { concurrency: "unbounded" }).pipe(
        Stream.debounce(quietMs),
        Stream.map(() => "a change on disk")
      )
    })
  )

/** Emits at the times of a cron expression (UTC), as `indexing.schedule` has it. */
const onSchedule = (expression: string | null): Stream.Stream<string> =>
  Result.match(Cron.parse(expression ?? ""), {
    onFailure: () => Stream.empty,
    onSuccess: (cron) =>
      Stream.fromSchedule(Schedule.cron(cron)).pipe(
        Stream.map(() => "the schedule"),
        Stream.orDie
      )
  })

/**
 * Runs the indexer after changes (when `watch`) and at scheduled times, until interrupted. Runs never overlap: what
 * happens during a run leads to one more run after it. A run that fails is logged; the index stays as it was.
 */
export const keepUpToDate = Effect.fn("keepUpToDate")(function* (options: { readonly watch: boolean }) {
  const { indexing } = yield* AppConfig
  const indexer = yield* Indexer
  const runOnce = Effect.fnUntraced(function* (reason: string) {
    const run = yield* indexer.run({}).pipe(
      Effect.retry({
        schedule: Schedule.spaced(waitForOthers),
        while: ({ _tag }) => _tag === "RunInProgress" || _tag === "IndexLocked"
      })
    )
    const { changed, removed, failed } = run.counts
    if (changed + removed + failed > 0) {
      yield* Effect.logInfo(
        `indexed after ${reason}: ${run.status}, ${changed} changed, ${removed} removed, ${failed} failed`
      )
    }
  })
  const triggers = Stream.merge(
    options.watch ? watchSources(indexing.quietMs) : Stream.empty,
    onSchedule(indexing.schedule)
  )
  yield* triggers.pipe(
    Stream.buffer({ capacity: 1, strategy: "sliding" }),
    Stream.runForEach((reason) =>
      Effect.catch(runOnce(reason), (error) =>
        Effect.logError(`indexing after ${reason} failed: ${error.message}`)
      )
    )
  )
})
