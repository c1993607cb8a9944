import { Effect, Schema } from "effect"
import { Remedy } from "./Remedy.ts"

export const RunStatus = Schema.Union([
  Schema.Literal("running").annotate({ description: "Under way." }),
  Schema.Literal("succeeded").annotate({ description: "Ended; every file is up to date." }),
  Schema.Literal("partial").annotate({ description: "Ended; some files failed and keep their old version." }),
  Schema.Literal("failed").annotate({ description: "Ended before its work was done." }),
  Schema.Literal("cancelled").annotate({ description: "Stopped on request; what was committed stays." })
]).annotate({ description: "Where an indexing run stands." })
export type RunStatus = typeof RunStatus.Type

export const Stage = Schema.Union([
  Schema.Literal("walk").annotate({ description: "Listing the files of the sources." }),
  Schema.Literal("load").annotate({ description: "Reading files into documents." }),
  Schema.Literal("chunk").annotate({ description: "Splitting documents." }),
  Schema.Literal("fit").annotate({ description: "Fitting the embedder on the corpus." }),
  Schema.Literal("embed").annotate({ description: "Turning chunks into vectors." }),
  Schema.Literal("commit").annotate({ description: "Writing documents to the catalog." }),
  Schema.Literal("store").annotate({ description: "Writing vectors to the store." })
]).annotate({ description: "A stage of an indexing run." })
export type Stage = typeof Stage.Type

export const RunFailure = Schema.Struct({
  documentId: Schema.String.annotate({ description: "The document." }),
  stage: Stage.annotate({ description: "Where it failed." }),
  code: Schema.String.annotate({ description: "Stable code, as in `extensions.code` of errors." }),
  message: Schema.String.annotate({ description: "What happened and what to do about it." }),
  remedy: Schema.optionalKey(Remedy).annotate({
    description: "What would help, as a code; absent where only the message helps."
  })
}).annotate({
  description: "A file that could not be brought up to date; its old version, if any, still answers."
})
export type RunFailure = typeof RunFailure.Type

export const SkippedFile = Schema.Struct({
  source: Schema.String.annotate({ description: "Name of its source." }),
  path: Schema.String.annotate({ description: "POSIX path below the root of the source." }),
  reason: Schema.String.annotate({ description: "Why." })
}).annotate({ description: "A file that was left out on purpose." })
export type SkippedFile = typeof SkippedFile.Type

export const RunCounts = Schema.Struct({
  files: Schema.Int.annotate({ description: "Files seen." }),
  changed: Schema.Int.annotate({ description: "Files loaded anew." }),
  unchanged: Schema.Int.annotate({ description: "Files as they were at the last run." }),
  removed: Schema.Int.annotate({ description: "Files removed from the index." }),
  skipped: Schema.Int.annotate({ description: "Files left out on purpose." }),
  failed: Schema.Int.annotate({ description: "Files that could not be brought up to date." }),
  chunksNew: Schema.Int.annotate({ description: "Chunks written." }),
  chunksUnchanged: Schema.Int.annotate({ description: "Chunks kept as they were." }),
  chunksRemoved: Schema.Int.annotate({ description: "Chunks removed." }),
  chunksTooShort: Schema.Int.annotate({ description: "Chunks below the minimum length, left out." }),
  chunksDeduplicated: Schema.Int.annotate({
    description:
      "Chunks whose text another chunk of the source has: embedded once, one hit with several places."
  }),
  embedded: Schema.Int.annotate({ description: "Texts that got a vector from the embedder." }),
  embeddingsCached: Schema.Int.annotate({ description: "Texts whose vector was in the cache." }),
  // runs saved before this was counted have none
  embeddingsFailed: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))).annotate({
    description:
      "Texts that got no vector: their documents keep the old version, and the next run tries again."
  }),
  embeddingCalls: Schema.Int.annotate({ description: "Calls of the embedder." }),
  bytes: Schema.Int.annotate({ description: "Bytes read." })
}).annotate({ description: "What a run has done so far." })
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

/** Times are milliseconds since 1970-01-01 UTC. */
export const IndexRun = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the run." }),
  status: RunStatus.annotate({ description: "Where it stands." }),
  startedAt: Schema.Int.annotate({ description: "When it began." }),
  endedAt: Schema.NullOr(Schema.Int).annotate({ description: "When it ended; null while it is running." }),
  sources: Schema.Array(Schema.String).annotate({ description: "Names of the sources it looks at." }),
  counts: RunCounts.annotate({ description: "What it has done so far." }),
  failures: Schema.Array(RunFailure).annotate({
    description: "Files that could not be brought up to date."
  }),
  skipped: Schema.Array(SkippedFile).annotate({ description: "Files left out on purpose." }),
  warnings: Schema.Array(Schema.String).annotate({ description: "What the operator should know." })
}).annotate({ description: "One pass over the sources that makes the index true to them." })
export interface IndexRun extends Schema.Schema.Type<typeof IndexRun> {}

export const IndexProgress = Schema.Struct({
  runId: Schema.String.annotate({ description: "Id of the run." }),
  status: RunStatus.annotate({ description: "Where the run stands." }),
  stage: Stage.annotate({ description: "What it is doing." }),
  counts: RunCounts.annotate({ description: "What it has done so far." }),
  filesTotal: Schema.Int.annotate({ description: "Files to look at, as far as known." }),
  bytesTotal: Schema.Int.annotate({ description: "Bytes to read, as far as known." }),
  currentFile: Schema.NullOr(Schema.String).annotate({
    description: "The file it is at, as source and path."
  }),
  etaMs: Schema.NullOr(Schema.Int).annotate({
    description: "Milliseconds until the end at the present pace; null while unknown."
  })
}).annotate({ description: "A moment of a run." })
export interface IndexProgress extends Schema.Schema.Type<typeof IndexProgress> {}
