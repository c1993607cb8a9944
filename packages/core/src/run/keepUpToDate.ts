import { Cause, Cron, Effect, Queue, Result, Schedule, Stream } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import { afterQuiet } from "./afterQuiet.ts"
import { Indexer } from "./Indexer.ts"
import { Sources } from "../sources/Sources.ts"

/** Before a watch that has failed is tried again (a folder that is away, too few kernel watches). */
const watchAgainAfter = "30 seconds"
/** Before a run is tried again while another one holds the index. */
const waitForOthers = "1 second"
/** A run begins after so many quiet intervals even when there was no quiet. */
const patience = 20

/** Reports every change below any source, until interrupted; `watched` gets the names of the sources. */
const watchSources = Effect.fnUntraced(function* (changed: Queue.Enqueue<void>, watched: Set<string>) {
  const { sources } = yield* (yield* Sources).open()
  watched.clear()
  sources.forEach(({ name }) => watched.add(name))
  yield* Effect.forEach(
    sources.flatMap(({ name, changes }) => (changes === undefined ? [] : [{ name, changes }])),
    ({ name, changes }) =>
      Stream.runForEach(changes, () => Queue.offer(changed, undefined)).pipe(
        Effect.tapError((error) => Effect.logWarning(`${name} is not watched now: ${error.message}`)),
        Effect.retry(Schedule.spaced(watchAgainAfter))
      ),
    { concurrency: "unbounded", discard: true }
  )
  return yield* Effect.never
})

/** Offers a reason at the times of a cron expression, in UTC. */
const followSchedule = Effect.fnUntraced(function* (expression: string, reasons: Queue.Enqueue<string>) {
  const cron = Result.getOrUndefined(Cron.parse(expression, "UTC"))
  // the configuration was checked: an expression that is none cannot come here
  if (cron === undefined) return
  yield* Queue.offer(reasons, "the schedule").pipe(Effect.schedule(Schedule.cron(cron)), Effect.ignore)
})

/**
 * Runs the indexer after changes (when `watch`) and at scheduled times, until interrupted. Runs never overlap: what
 * happens during a run leads to one more run after it. A run that fails is logged; the index stays as it was.
 */
export const keepUpToDate = Effect.fn("keepUpToDate")(function* (options: { readonly watch: boolean }) {
  const { indexing } = yield* AppConfig
  const indexer = yield* Indexer
  // one waiting event stands for any number
  const changed = yield* Queue.sliding<void>(1)
  const reasons = yield* Queue.sliding<string>(1)
  const appeared = yield* Queue.sliding<void>(1)
  const watched = new Set<string>()

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
    // a repository that was cloned since is watched from now on
    if (options.watch && run.sources.some((name) => !watched.has(name))) {
      yield* Queue.offer(appeared, undefined)
    }
  })
  const follow = Effect.forever(
    Effect.gen(function* () {
      const reason = yield* Queue.take(reasons)
      yield* runOnce(reason).pipe(
        Effect.catchCauseIf(
          (cause) => !Cause.hasInterruptsOnly(cause),
          (cause) => Effect.logError(`indexing after ${reason} failed: ${describe(cause)}`)
        )
      )
    })
  )
  const watch = Effect.forever(
    Effect.raceFirst(
      watchSources(changed, watched).pipe(
        Effect.tapError((error) => Effect.logWarning(`nothing is watched now: ${error.message}`)),
        Effect.retry(Schedule.spaced(watchAgainAfter))
      ),
      Queue.take(appeared)
    )
  )
  const settle = Effect.forever(
    Effect.andThen(
      afterQuiet(changed, indexing.quietMs, patience * indexing.quietMs),
      Queue.offer(reasons, "a change on disk")
    )
  )
  yield* Effect.all(
    [
      ...(options.watch ? [watch, settle] : []),
      ...(indexing.schedule === null ? [] : [followSchedule(indexing.schedule, reasons)]),
      ...(options.watch || indexing.schedule !== null ? [follow] : [])
    ],
    { concurrency: "unbounded", discard: true }
  )
})

const describe = (cause: Cause.Cause<{ readonly message: string }>): string => {
  const failure = Cause.findErrorOption(cause)
  return failure._tag === "Some" ? failure.value.message : Cause.pretty(cause)
}
