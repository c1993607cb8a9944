import { Effect, Schema } from "effect"

export const RunStatus = Schema.Literals(["running", "succeeded", "partial", "failed", "cancelled"])
export type RunStatus = typeof RunStatus.Type

export const Stage = Schema.Literals(["walk", "load", "chunk", "fit", "embed", "commit", "store"])
export type Stage = typeof Stage.Type

/** A file that a run could not bring up to date; its old version, if any, still answers. */
export const RunFailure = Schema.Struct({
  documentId: Schema.String,
  stage: Stage,
  code: Schema.String,
  message: Schema.String
})
export type RunFailure = typeof RunFailure.Type

/** A file that was left out on purpose, with the reason. */
export const SkippedFile = Schema.Struct({
  source: Schema.String,
  path: Schema.String,
  reason: Schema.String
})
export type SkippedFile = typeof SkippedFile.Type

export const RunCounts = Schema.Struct({
  /** Files seen, loaded anew, unchanged since the last run, removed from the index. */
  files: Schema.Int,
  changed: Schema.Int,
  unchanged: Schema.Int,
  removed: Schema.Int,
  skipped: Schema.Int,
  failed: Schema.Int,
  /** Chunks written, kept as they were, removed, below the minimum length, repeated inside one source. */
  chunksNew: Schema.Int,
  chunksUnchanged: Schema.Int,
  chunksRemoved: Schema.Int,
  chunksTooShort: Schema.Int,
  chunksDeduplicated: Schema.Int,
  /** Texts that got a vector from the embedder; those whose vector was in the cache; those that got none. */
  embedded: Schema.Int,
  embeddingsCached: Schema.Int,
  /** Runs from before it was counted have none. */
  embeddingsFailed: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  embeddingCalls: Schema.Int,
  bytes: Schema.Int
})
export type RunCounts = typeof RunCounts.Type

export const emptyCounts: RunCounts = {
  files: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
  failed: 0,
  chunksNew: 0,
  chunksUnchanged: 0,
  chunksRemoved: 0,
  chunksTooShort: 0,
  chunksDeduplicated: 0,
  embedded: 0,
  embeddingsCached: 0,
  embeddingsFailed: 0,
  embeddingCalls: 0,
  bytes: 0
}

/** One run of the indexer, under way or ended. */
export const IndexRun = Schema.Struct({
  id: Schema.String,
  status: RunStatus,
  /** Milliseconds since 1970-01-01 UTC. */
  startedAt: Schema.Int,
  endedAt: Schema.NullOr(Schema.Int),
  sources: Schema.Array(Schema.String),
  counts: RunCounts,
  failures: Schema.Array(RunFailure),
  skipped: Schema.Array(SkippedFile),
  warnings: Schema.Array(Schema.String)
})
export interface IndexRun extends Schema.Schema.Type<typeof IndexRun> {}

/** A moment of a run. */
export const IndexProgress = Schema.Struct({
  runId: Schema.String,
  status: RunStatus,
  stage: Stage,
  counts: RunCounts,
  /** Files to look at, as far as known. */
  filesTotal: Schema.Int,
  bytesTotal: Schema.Int,
  currentFile: Schema.NullOr(Schema.String),
  /** Milliseconds until the end at the present pace; null while unknown. */
  etaMs: Schema.NullOr(Schema.Int)
})
export interface IndexProgress extends Schema.Schema.Type<typeof IndexProgress> {}
