import { type IndexProgress, type IndexRun, Indexer, type RunOptions } from "@omnirag/core/app"
import { Clock, Effect, Fiber, Stream } from "effect"
import { printNote } from "./output.ts"
import { printableName } from "./printable.ts"
import { worded } from "./remedies.ts"

const barWidth = 24
/** Between two log lines where there is no terminal, in milliseconds. */
const logInterval = 2_000

const share = (progress: IndexProgress): number => {
  const { counts, filesTotal } = progress
  const done = counts.changed + counts.failed
  return filesTotal === 0 ? 0 : Math.min(1, done / filesTotal)
}

const timeLeft = (milliseconds: number): string => {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** One line that says how far a run is. Where it is wider than `width` columns, the bar gets shorter first. */
export const describeProgress = (progress: IndexProgress, width = Number.POSITIVE_INFINITY): string => {
  const { counts, filesTotal, stage, etaMs } = progress
  const eta = etaMs === null ? "" : `, ${timeLeft(etaMs)} left`
  const text = ` ${stage.padEnd(6)} ${counts.changed}/${filesTotal} files, ${counts.chunksNew} chunks, ${counts.embedded} embedded${eta}`
  const cells = Math.max(0, Math.min(barWidth, width - text.length))
  const done = Math.round(share(progress) * cells)
  return `${"█".repeat(done)}${"░".repeat(cells - done)}${text}`.slice(0, width)
}

/** Failures and skipped files that are named each; the rest are counted. */
const listed = 20

const more = (count: number, what: string): ReadonlyArray<string> =>
  count > listed ? [`… and ${count - listed} more ${what}, see --json`] : []

/** What a run has done, for people. */
export const describeRun = (run: IndexRun): string => {
  const { counts } = run
  const took = ((run.endedAt ?? run.startedAt) - run.startedAt) / 1000
  const lines = [
    `${run.status}: ${counts.files} files, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.removed} removed, ${counts.skipped} skipped, ${counts.failed} failed in ${took.toFixed(1)} s`,
    `chunks: ${counts.chunksNew} new, ${counts.chunksUnchanged} unchanged, ${counts.chunksRemoved} removed, ${counts.chunksDeduplicated} repeated, ${counts.chunksTooShort} too short; ${counts.embedded} embedded in ${counts.embeddingCalls} calls, ${counts.embeddingsCached} from the cache, ${counts.embeddingsFailed} failed`,
    ...run.warnings.map((warning) => `warning: ${warning}`),
    ...run.failures
      .slice(0, listed)
      .map(
        (failure) =>
          `failed: ${printableName(failure.documentId)} (${failure.stage}): ${printableName(worded(failure))}`
      ),
    ...more(run.failures.length, "failures"),
    ...run.skipped
      .slice(0, listed)
      .map(({ path, reason, source }) => `skipped: ${printableName(`${source}/${path}`)}: ${reason}`),
    ...more(run.skipped.length, "skipped files")
  ]
  return lines.join("\n")
}

/** Columns of a terminal; 80 where it does not say, as one that was opened without a size, which tells 0. */
export const columnsOf = ({ columns }: { readonly columns?: number }): number =>
  columns === undefined || columns === 0 ? 80 : columns

const showOnTerminal = (progress: IndexProgress) =>
  Effect.sync(() => {
    const width = columnsOf(process.stderr)
    process.stderr.write(`\r\u001b[2K${describeProgress(progress, width - 1)}`)
  })

const showAsLog = () => {
  let last = 0
  return (progress: IndexProgress) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now - last < logInterval) return Effect.void
      last = now
      return printNote(describeProgress(progress))
    })
}

/** Runs the indexer with a progress bar in a terminal, and lines where there is none. */
export const indexWithProgress = Effect.fn("indexWithProgress")(function* (options: RunOptions) {
  const indexer = yield* Indexer
  const terminal = process.stderr.isTTY
  const started = yield* Effect.forkChild(indexer.run(options), { startImmediately: true })
  const active = yield* indexer.active
  if (active !== null) {
    const show = terminal ? showOnTerminal : showAsLog()
    yield* Effect.forkChild(Stream.runForEach(indexer.progress(active.id), show).pipe(Effect.ignore))
  }
  const run = yield* Fiber.join(started).pipe(Effect.onInterrupt(() => Fiber.interrupt(started)))
  if (terminal) yield* Effect.sync(() => process.stderr.write("\r\u001b[2K"))
  return run
})
