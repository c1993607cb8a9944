import { Clock, Effect, PubSub } from "effect"
import {
  emptyCounts,
  type IndexProgress,
  type IndexRun,
  type RunCounts,
  type RunFailure,
  type RunStatus,
  type SkippedFile,
  type Stage
} from "../domain/IndexRun.ts"

/** The most failures and skipped files a run keeps by name; all are counted. */
const listLimit = 1_000
/** A progress event at most this often, in milliseconds; changes of stage are always published. */
const publishInterval = 50

/** What a run has done so far. Written by the run alone, read through `snapshot` and the progress events. */
export class RunState {
  readonly id: string
  readonly startedAt: number
  readonly events: PubSub.PubSub<IndexProgress>
  private counts: { -readonly [K in keyof RunCounts]: number } = { ...emptyCounts }
  private readonly failures: Array<RunFailure> = []
  private readonly skipped: Array<SkippedFile> = []
  /** How often each was given. */
  private readonly warnings = new Map<string, number>()
  private sources: ReadonlyArray<string> = []
  private stage: Stage = "walk"
  private status: RunStatus = "running"
  private endedAt: number | null = null
  private currentFile: string | null = null
  private filesTotal = 0
  private bytesTotal = 0
  /** What the time left is judged by: bytes of files at first, chunks once all of them are embedded together. */
  private work: { readonly since: number; total: number; done: number }
  private publishedAt = 0

  private constructor(id: string, startedAt: number, events: PubSub.PubSub<IndexProgress>) {
    this.id = id
    this.startedAt = startedAt
    this.events = events
    this.work = { since: startedAt, total: 0, done: 0 }
  }

  static readonly make = Effect.fnUntraced(function* (id: string) {
    const events = yield* PubSub.sliding<IndexProgress>({ capacity: 32, replay: 1 })
    return new RunState(id, yield* Clock.currentTimeMillis, events)
  })

  setSources(names: ReadonlyArray<string>): void {
    this.sources = names
  }
  expect(files: number, bytes: number): void {
    this.filesTotal += files
    this.bytesTotal += bytes
    this.work.total += bytes
  }
  /** From now on the time left is judged by work of another kind. */
  beginWork(total: number, at: number): void {
    this.work = { since: at, total, done: 0 }
  }
  count(key: keyof RunCounts, by = 1): void {
    this.counts[key] += by
  }
  finished(amount: number): void {
    this.work.done += amount
  }
  /** Adds a line about the run; the same line again is counted. */
  warn(message: string): void {
    const before = this.warnings.get(message)
    if (before !== undefined || this.warnings.size < listLimit) this.warnings.set(message, (before ?? 0) + 1)
  }
  skip(file: SkippedFile): void {
    this.counts.skipped++
    if (this.skipped.length < listLimit) this.skipped.push(file)
  }
  fail(failure: RunFailure): void {
    this.counts.failed++
    if (this.failures.length < listLimit) this.failures.push(failure)
  }
  get failed(): boolean {
    return this.counts.failed > 0
  }
  /** Ids of the documents that failed at one of these stages. */
  failedDocuments(...stages: ReadonlyArray<Stage>): ReadonlySet<string> {
    return new Set(
      this.failures.filter(({ stage }) => stages.includes(stage)).map((failure) => failure.documentId)
    )
  }
  get currentStage(): Stage {
    return this.stage
  }

  /** Ends the run; nothing is counted from here on. */
  end(status: RunStatus, at: number): IndexRun {
    this.status = status
    this.endedAt = at
    return this.snapshot()
  }

  snapshot(): IndexRun {
    return {
      id: this.id,
      status: this.status,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      sources: this.sources,
      counts: { ...this.counts },
      failures: [...this.failures],
      skipped: [...this.skipped],
      warnings: Array.from(this.warnings, ([message, times]) =>
        times === 1 ? message : `${message} (${times} times)`
      )
    }
  }

  progress(now: number): IndexProgress {
    const { done, since, total } = this.work
    const share = total === 0 ? 0 : Math.min(1, done / total)
    // how long an embedder learns nobody knows
    const unknown = this.status !== "running" || this.stage === "fit" || share < 0.02
    return {
      runId: this.id,
      status: this.status,
      stage: this.stage,
      counts: { ...this.counts },
      filesTotal: this.filesTotal,
      bytesTotal: this.bytesTotal,
      currentFile: this.currentFile,
      etaMs: unknown ? null : Math.round(((now - since) * (1 - share)) / share)
    }
  }

  /** Publishes a progress event, unless one was published a moment ago. Slow readers miss events, never the last. */
  publish(stage: Stage, currentFile: string | null): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const due =
        stage !== this.stage || this.status !== "running" || now - this.publishedAt >= publishInterval
      this.stage = stage
      this.currentFile = currentFile
      if (!due) return Effect.void
      this.publishedAt = now
      return Effect.asVoid(PubSub.publish(this.events, this.progress(now)))
    })
  }
}
