import { Access } from "../access/Access.ts"
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Option, Ref, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { AppConfig } from "../config/OmniragConfig.ts"
import {
  type AppError,
  type ChunkingError,
  type DocumentRefused,
  type Forbidden,
  type IndexError,
  type IndexLocked,
  type InvalidInput,
  NotFound,
  RunInProgress
} from "../domain/errors.ts"
import { remedyOf } from "../domain/Remedy.ts"
import type { IndexProgress, IndexRun, RunStatus } from "../domain/IndexRun.ts"
import type { DocumentRecord } from "../domain/DocumentRecord.ts"
import { Chunker } from "../ports/Chunker.ts"
import { deleteGivenDocuments, upsertGivenDocument } from "./changeDocuments.ts"
import { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import type { DocumentInput } from "../sources/documentInput.ts"
import { Embedders } from "../index/Embedders.ts"
import { GenerationBuilder } from "../index/GenerationBuilder.ts"
import { GenerationReader } from "../index/GenerationReader.ts"
import { runIndex } from "./runIndex.ts"
import type { RunOptions } from "./RunOptions.ts"
import { visibleProgress, visibleRun } from "./visibleRun.ts"
import type { RunServices } from "./RunServices.ts"
import { RunState } from "./RunState.ts"
import { Sources } from "../sources/Sources.ts"

/** What can keep a run from starting, or end it early. What fails for single files is in the run instead. */
export type RunError = AppError

export type UpsertError =
  | Forbidden
  | InvalidInput
  | DocumentRefused
  | ChunkingError
  | IndexLocked
  | RunInProgress
  | IndexError

interface ActiveRun {
  readonly state: RunState
  readonly fiber: Fiber.Fiber<{ readonly run: IndexRun; readonly exit: Exit.Exit<void, AppError> }>
}

/** Ended runs whose last progress event can still be read. */
const rememberedRuns = 20

/** The last moment of a run that has ended. */
const progressOf = (run: IndexRun): IndexProgress => ({
  runId: run.id,
  status: run.status,
  stage: "store",
  counts: run.counts,
  filesTotal: run.counts.files,
  bytesTotal: run.counts.bytes,
  currentFile: null,
  etaMs: null
})

/** What is left out belongs to how documents are split: another minimum calls for a new generation, too. */
const withMinimumLength = (chunker: Chunker["Service"], length: number): Chunker["Service"] => ({
  ...chunker,
  fingerprint: `${chunker.fingerprint}, ${length} characters or more`
})

/** Keeps the index true to its sources. One writer at a time, in a process and on an index. */
export class Indexer extends Context.Service<
  Indexer,
  {
    /** Runs to the end; interruption cancels the run and keeps what is committed. */
    readonly run: (options: RunOptions) => Effect.Effect<IndexRun, RunError>
    /** Starts a run in the background and returns at once; what ends it early is the failure of the run. */
    readonly start: (options: RunOptions) => Effect.Effect<IndexRun, Forbidden | RunInProgress>
    /** Stops a run; what it has committed stays. Returns the run as it ended. */
    readonly cancel: (runId: string) => Effect.Effect<IndexRun, Forbidden | NotFound | IndexError>
    /** The progress of a run from now until it ends; of a run that has ended, its last moment. */
    readonly progress: (runId: string) => Stream.Stream<IndexProgress, Forbidden | NotFound | IndexError>
    /** The run under way, if any. */
    readonly active: Effect.Effect<IndexRun | null>
    /** The latest runs, newest first, the one under way included. */
    readonly runs: (first: number) => Effect.Effect<ReadonlyArray<IndexRun>, IndexError>
    readonly upsertDocument: (input: DocumentInput) => Effect.Effect<DocumentRecord, UpsertError>
    /** Returns how many of the documents there were. */
    readonly deleteDocuments: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<number, Forbidden | InvalidInput | IndexLocked | RunInProgress | IndexError>
  }
>()("@omnirag/core/run/Indexer") {
  static readonly layer = Layer.effect(
    Indexer,
    Effect.gen(function* () {
      const access = yield* Access
      const config = yield* AppConfig
      const reader = yield* GenerationReader
      const builder = yield* GenerationBuilder
      const sources = yield* Sources
      const loaders = yield* DocumentLoaders
      const chunker = withMinimumLength(yield* Chunker, config.indexing.minimumChunkLength)
      const embedders = yield* Embedders
      const services: RunServices = { access, config, reader, builder, sources, loaders, chunker, embedders }
      const scope = yield* Effect.scope

      const busy = yield* Ref.make<string | null>(null)
      const active = yield* Ref.make<ActiveRun | null>(null)
      const ended = yield* Ref.make<ReadonlyArray<RunState>>([])

      /** Takes the right to write in this process, or says who has it. */
      const acquire = (holder: string) =>
        Effect.flatMap(
          Ref.modify(busy, (current) => [current, current ?? holder]),
          (current) => (current === null ? Effect.void : Effect.fail(new RunInProgress({ runId: current })))
        )
      const release = Ref.set(busy, null)
      const exclusively = <A, E, R>(holder: string, effect: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          acquire(holder),
          () => effect,
          () => release
        )

      const save = (run: IndexRun) =>
        Effect.scoped(Effect.flatMap(reader.live, ({ catalog }) => catalog.runs.save(run))).pipe(
          Effect.catch((error) =>
            Effect.logWarning(`the run ${run.id} could not be recorded: ${error.message}`)
          )
        )

      /** Records how a run ended; what ended it early becomes its last failure. */
      const record = Effect.fnUntraced(function* (state: RunState, exit: Exit.Exit<void, AppError>) {
        const interrupted = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        if (Exit.isFailure(exit) && !interrupted) {
          const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
          if (error === undefined) yield* Effect.logError("an indexing run died", exit.cause)
          const remedy = remedyOf(error)
          state.fail({
            documentId: "",
            stage: state.currentStage,
            code: error?.code ?? "INTERNAL",
            message: error?.message ?? "an internal fault ended the run; the log has the cause",
            ...(remedy === undefined ? {} : { remedy })
          })
        }
        const status: RunStatus = Exit.isSuccess(exit)
          ? state.failed
            ? "partial"
            : "succeeded"
          : interrupted
            ? "cancelled"
            : "failed"
        const run = state.end(status, yield* Clock.currentTimeMillis)
        yield* save(run)
        yield* Ref.update(ended, (states) => [state, ...states].slice(0, rememberedRuns))
        yield* Ref.set(active, null)
        yield* release
        yield* state.publish(state.currentStage, null)
        return run
      })

      const begin = Effect.fnUntraced(function* (options: RunOptions) {
        const id = randomUUID().slice(0, 8)
        yield* acquire(id)
        const state = yield* RunState.make(id)
        const work = Effect.scoped(runIndex(services, options, state))
        // the run outlives the request that starts it, not the process; however it ends, it is recorded
        const fiber = yield* Effect.exit(Effect.interruptible(work)).pipe(
          Effect.flatMap((exit) => Effect.map(record(state, exit), (run) => ({ run, exit }))),
          Effect.uninterruptible,
          Effect.forkIn(scope)
        )
        yield* Ref.set(active, { state, fiber })
        return { state, fiber }
      }, Effect.uninterruptible)

      const run = Effect.fn("Indexer.run")(function* (
        options: RunOptions
      ): Effect.fn.Return<IndexRun, RunError> {
        yield* access.require("operate")
        const { fiber } = yield* begin(options)
        const { run, exit } = yield* Fiber.join(fiber).pipe(Effect.onInterrupt(() => Fiber.interrupt(fiber)))
        if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause))
          return yield* Effect.failCause(exit.cause)
        return visibleRun(yield* access.view)(run)
      })

      const start = Effect.fn("Indexer.start")(function* (options: RunOptions) {
        yield* access.require("operate")
        const { state } = yield* begin(options)
        return visibleRun(yield* access.view)(state.snapshot())
      })

      const stored = Effect.fnUntraced(function* (first: number) {
        return yield* Effect.scoped(Effect.flatMap(reader.live, ({ catalog }) => catalog.runs.latest(first)))
      })

      const find = Effect.fnUntraced(function* (runId: string) {
        const current = yield* Ref.get(active)
        const states = [...(current === null ? [] : [current.state]), ...(yield* Ref.get(ended))]
        return states.find((state) => state.id === runId)
      })

      const endedRun = Effect.fnUntraced(function* (runId: string) {
        const run = (yield* find(runId))?.snapshot() ?? (yield* stored(200)).find(({ id }) => id === runId)
        return run ?? (yield* new NotFound({ kind: "run", id: runId }))
      })

      const cancel = Effect.fn("Indexer.cancel")(function* (runId: string) {
        yield* access.require("operate")
        const current = yield* Ref.get(active)
        if (current?.state.id === runId) yield* Fiber.interrupt(current.fiber)
        return visibleRun(yield* access.view)(yield* endedRun(runId))
      })

      const progress = (runId: string) =>
        Stream.unwrap(
          Effect.gen(function* () {
            yield* access.require("operate")
            const view = yield* access.view
            const state = yield* find(runId)
            if (state === undefined)
              return Stream.succeed(progressOf(visibleRun(view)(yield* endedRun(runId))))
            return Stream.fromPubSub(state.events).pipe(
              Stream.takeUntil(({ status }) => status !== "running"),
              Stream.map((progress) => visibleProgress(view, state.snapshot().sources)(progress))
            )
          })
        )

      const runs = Effect.fn("Indexer.runs")(function* (first: number) {
        const current = yield* Ref.get(active)
        const past = yield* stored(first)
        const all = current === null ? past : [current.state.snapshot(), ...past].slice(0, first)
        return all.map(visibleRun(yield* access.view))
      })

      const upsertDocument = Effect.fn("Indexer.upsertDocument")((input: DocumentInput) =>
        Effect.andThen(
          access.require("write"),
          exclusively("upsertDocument", Effect.scoped(upsertGivenDocument(services, input)))
        )
      )
      const deleteDocuments = Effect.fn("Indexer.deleteDocuments")((ids: ReadonlyArray<string>) =>
        Effect.andThen(
          access.require("write"),
          exclusively("deleteDocuments", Effect.scoped(deleteGivenDocuments(services, ids)))
        )
      )

      return Indexer.of({
        run,
        start,
        cancel,
        progress,
        active: Effect.gen(function* () {
          const current = yield* Ref.get(active)
          return current === null ? null : visibleRun(yield* access.view)(current.state.snapshot())
        }),
        runs,
        upsertDocument,
        deleteDocuments
      })
    })
  )
}
