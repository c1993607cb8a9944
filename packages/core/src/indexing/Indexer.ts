import { Context, type Effect, type Stream } from "effect"
import type { Metadata } from "../domain/Document.ts"
import type {
  ChunkingError,
  DocumentRefused,
  IndexError,
  IndexLocked,
  InvalidInput,
  NotFound,
  RunInProgress,
  SourceError
} from "../domain/errors.ts"
import type { IndexProgress, IndexRun } from "../domain/IndexRun.ts"
import type { DocumentRecord } from "../ports/CatalogProvider.ts"

export interface RunOptions {
  /** Names of sources to look at; all when absent. */
  readonly sources?: ReadonlyArray<string> | undefined
  /** Load and chunk every file again, changed or not. Vectors of unchanged texts still come from the cache. */
  readonly full?: boolean | undefined
}

/** A document that does not come from a configured source. */
export interface DocumentInput {
  /** May not be the name of a configured source: a run would remove what is not on its disk. */
  readonly source: string
  readonly path: string
  readonly text: string
  readonly mediaType?: string | undefined
  readonly metadata?: Metadata | undefined
}

export type RunError = InvalidInput | SourceError | IndexLocked | RunInProgress | IndexError

/** Keeps the index true to its sources. One run at a time in a process, one writer at a time on an index. */
export class Indexer extends Context.Service<
  Indexer,
  {
    /** Runs to the end; interruption cancels the run and keeps what is committed. */
    readonly run: (options: RunOptions) => Effect.Effect<IndexRun, RunError>
    /** Starts a run in the background and returns at once. */
    readonly start: (options: RunOptions) => Effect.Effect<IndexRun, RunError>
    /** Stops a run; what it has committed stays. Returns the run as it ended. */
    readonly cancel: (runId: string) => Effect.Effect<IndexRun, NotFound | IndexError>
    /** The progress of a run from now until it ends; of a run that has ended, its last moment. */
    readonly progress: (runId: string) => Stream.Stream<IndexProgress, NotFound | IndexError>
    /** The latest runs, newest first, the one under way included. */
    readonly runs: (first: number) => Effect.Effect<ReadonlyArray<IndexRun>, IndexError>
    readonly upsertDocument: (
      input: DocumentInput
    ) => Effect.Effect<
      DocumentRecord,
      InvalidInput | DocumentRefused | ChunkingError | IndexLocked | IndexError
    >
    /** Returns how many of the documents there were. */
    readonly deleteDocuments: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<number, InvalidInput | IndexLocked | IndexError>
  }
>()("@omnirag/core/indexing/Indexer") {}
