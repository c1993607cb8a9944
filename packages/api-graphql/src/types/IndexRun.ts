import type { IndexProgress, IndexRun, RunCounts, RunFailure, SkippedFile } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { redactPaths } from "@omnirag/http"
import { publicText } from "../remedies.ts"
import { RunStatusRef, StageRef } from "./enums.ts"

const counts: Record<keyof RunCounts, string> = {
  files: "Files seen.",
  changed: "Files loaded anew.",
  unchanged: "Files as they were at the last run.",
  removed: "Files removed from the index.",
  skipped: "Files left out on purpose.",
  failed: "Files that could not be brought up to date.",
  chunksNew: "Chunks written.",
  chunksUnchanged: "Chunks kept as they were.",
  chunksRemoved: "Chunks removed.",
  chunksTooShort: "Chunks below the minimum length, left out.",
  chunksDeduplicated:
    "Chunks whose text another chunk of the source has: embedded once, one hit with several places.",
  embedded: "Texts that got a vector from the embedder.",
  embeddingsCached: "Texts whose vector was in the cache.",
  embeddingsFailed:
    "Texts that got no vector: their documents keep the old version, and the next run tries again.",
  embeddingCalls: "Calls of the embedder.",
  bytes: "Bytes read."
}

const RunCountsRef = builder.objectRef<RunCounts>("RunCounts").implement({
  description: "What a run has done so far.",
  fields: (t) => ({
    files: t.exposeInt("files", { description: counts.files }),
    changed: t.exposeInt("changed", { description: counts.changed }),
    unchanged: t.exposeInt("unchanged", { description: counts.unchanged }),
    removed: t.exposeInt("removed", { description: counts.removed }),
    skipped: t.exposeInt("skipped", { description: counts.skipped }),
    failed: t.exposeInt("failed", { description: counts.failed }),
    chunksNew: t.exposeInt("chunksNew", { description: counts.chunksNew }),
    chunksUnchanged: t.exposeInt("chunksUnchanged", { description: counts.chunksUnchanged }),
    chunksRemoved: t.exposeInt("chunksRemoved", { description: counts.chunksRemoved }),
    chunksTooShort: t.exposeInt("chunksTooShort", { description: counts.chunksTooShort }),
    chunksDeduplicated: t.exposeInt("chunksDeduplicated", { description: counts.chunksDeduplicated }),
    embedded: t.exposeInt("embedded", { description: counts.embedded }),
    embeddingsCached: t.exposeInt("embeddingsCached", { description: counts.embeddingsCached }),
    embeddingsFailed: t.exposeInt("embeddingsFailed", { description: counts.embeddingsFailed }),
    embeddingCalls: t.exposeInt("embeddingCalls", { description: counts.embeddingCalls }),
    bytes: t.exposeFloat("bytes", { description: counts.bytes })
  })
})

const RunFailureRef = builder.objectRef<RunFailure>("RunFailure").implement({
  description: "A file that could not be brought up to date; its old version, if any, still answers.",
  fields: (t) => ({
    documentId: t.exposeID("documentId", { description: "The document." }),
    stage: t.expose("stage", { type: StageRef, description: "Where it failed." }),
    code: t.exposeString("code", { description: "Stable code, as in `extensions.code` of errors." }),
    message: t.string({
      description: "What happened and what to do about it.",
      resolve: (failure) => publicText(failure)
    })
  })
})

const SkippedFileRef = builder.objectRef<SkippedFile>("SkippedFile").implement({
  description: "A file that was left out on purpose.",
  fields: (t) => ({
    source: t.exposeString("source", { description: "Name of its source." }),
    path: t.exposeString("path", { description: "POSIX path below the root of the source." }),
    reason: t.string({ description: "Why.", resolve: (skipped) => redactPaths(skipped.reason) })
  })
})

export const IndexRunRef = builder.objectRef<IndexRun>("IndexRun").implement({
  description: "One pass over the sources that makes the index true to them.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the run." }),
    status: t.expose("status", { type: RunStatusRef, description: "Where it stands." }),
    startedAt: t.expose("startedAt", { type: "DateTime", description: "When it began." }),
    endedAt: t.expose("endedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ended; null while it is running."
    }),
    sources: t.exposeStringList("sources", { description: "Names of the sources it looks at." }),
    counts: t.field({
      type: RunCountsRef,
      description: "What it has done so far.",
      resolve: (run) => run.counts
    }),
    failures: t.field({
      type: [RunFailureRef],
      description: "Files that could not be brought up to date.",
      resolve: (run) => run.failures
    }),
    skipped: t.field({
      type: [SkippedFileRef],
      description: "Files left out on purpose.",
      resolve: (run) => run.skipped
    }),
    warnings: t.stringList({
      description: "What the operator should know.",
      resolve: (run) => run.warnings.map(redactPaths)
    })
  })
})

export const IndexProgressRef = builder.objectRef<IndexProgress>("IndexProgress").implement({
  description: "A moment of a run.",
  fields: (t) => ({
    runId: t.exposeID("runId", { description: "Id of the run." }),
    status: t.expose("status", { type: RunStatusRef, description: "Where the run stands." }),
    stage: t.expose("stage", { type: StageRef, description: "What it is doing." }),
    counts: t.field({
      type: RunCountsRef,
      description: "What it has done so far.",
      resolve: (progress) => progress.counts
    }),
    filesTotal: t.exposeInt("filesTotal", { description: "Files to look at, as far as known." }),
    bytesTotal: t.exposeFloat("bytesTotal", { description: "Bytes to read, as far as known." }),
    currentFile: t.exposeString("currentFile", {
      nullable: true,
      description: "The file it is at, as source and path."
    }),
    etaMs: t.exposeFloat("etaMs", {
      nullable: true,
      description: "Milliseconds until the end at the present pace; null while unknown."
    })
  })
})
