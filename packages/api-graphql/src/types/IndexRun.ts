import {
  descriptionOf,
  descriptionsOf,
  IndexProgress,
  IndexRun,
  RunCounts,
  RunFailure,
  SkippedFile
} from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { redactPaths } from "@omnirag/http"
import { publicText } from "../remedies.ts"
import { RunStatusRef, StageRef } from "./enums.ts"

const countsDocs = descriptionsOf(RunCounts)
const RunCountsRef = builder.objectRef<RunCounts>("RunCounts").implement({
  description: descriptionOf(RunCounts),
  fields: (t) => ({
    files: t.exposeInt("files", { description: countsDocs.files }),
    changed: t.exposeInt("changed", { description: countsDocs.changed }),
    unchanged: t.exposeInt("unchanged", { description: countsDocs.unchanged }),
    removed: t.exposeInt("removed", { description: countsDocs.removed }),
    skipped: t.exposeInt("skipped", { description: countsDocs.skipped }),
    failed: t.exposeInt("failed", { description: countsDocs.failed }),
    chunksNew: t.exposeInt("chunksNew", { description: countsDocs.chunksNew }),
    chunksUnchanged: t.exposeInt("chunksUnchanged", { description: countsDocs.chunksUnchanged }),
    chunksRemoved: t.exposeInt("chunksRemoved", { description: countsDocs.chunksRemoved }),
    chunksTooShort: t.exposeInt("chunksTooShort", { description: countsDocs.chunksTooShort }),
    chunksDeduplicated: t.exposeInt("chunksDeduplicated", { description: countsDocs.chunksDeduplicated }),
    embedded: t.exposeInt("embedded", { description: countsDocs.embedded }),
    embeddingsCached: t.exposeInt("embeddingsCached", { description: countsDocs.embeddingsCached }),
    embeddingsFailed: t.exposeInt("embeddingsFailed", { description: countsDocs.embeddingsFailed }),
    embeddingCalls: t.exposeInt("embeddingCalls", { description: countsDocs.embeddingCalls }),
    bytes: t.exposeFloat("bytes", { description: countsDocs.bytes })
  })
})

const failureDocs = descriptionsOf(RunFailure)
const RunFailureRef = builder.objectRef<RunFailure>("RunFailure").implement({
  description: descriptionOf(RunFailure),
  fields: (t) => ({
    documentId: t.exposeID("documentId", { description: failureDocs.documentId }),
    stage: t.expose("stage", { type: StageRef, description: failureDocs.stage }),
    code: t.exposeString("code", { description: failureDocs.code }),
    message: t.string({
      description: failureDocs.message,
      resolve: (failure) => publicText(failure)
    })
  })
})

const skippedDocs = descriptionsOf(SkippedFile)
const SkippedFileRef = builder.objectRef<SkippedFile>("SkippedFile").implement({
  description: descriptionOf(SkippedFile),
  fields: (t) => ({
    source: t.exposeString("source", { description: skippedDocs.source }),
    path: t.exposeString("path", { description: skippedDocs.path }),
    reason: t.string({ description: skippedDocs.reason, resolve: (skipped) => redactPaths(skipped.reason) })
  })
})

const runDocs = descriptionsOf(IndexRun)
export const IndexRunRef = builder.objectRef<IndexRun>("IndexRun").implement({
  description: descriptionOf(IndexRun),
  fields: (t) => ({
    id: t.exposeID("id", { description: runDocs.id }),
    status: t.expose("status", { type: RunStatusRef, description: runDocs.status }),
    startedAt: t.expose("startedAt", { type: "DateTime", description: runDocs.startedAt }),
    endedAt: t.expose("endedAt", {
      type: "DateTime",
      nullable: true,
      description: runDocs.endedAt
    }),
    sources: t.exposeStringList("sources", { description: runDocs.sources }),
    counts: t.field({
      type: RunCountsRef,
      description: runDocs.counts,
      resolve: (run) => run.counts
    }),
    failures: t.field({
      type: [RunFailureRef],
      description: runDocs.failures,
      resolve: (run) => run.failures
    }),
    skipped: t.field({
      type: [SkippedFileRef],
      description: runDocs.skipped,
      resolve: (run) => run.skipped
    }),
    warnings: t.stringList({
      description: runDocs.warnings,
      resolve: (run) => run.warnings.map(redactPaths)
    })
  })
})

const progressDocs = descriptionsOf(IndexProgress)
export const IndexProgressRef = builder.objectRef<IndexProgress>("IndexProgress").implement({
  description: descriptionOf(IndexProgress),
  fields: (t) => ({
    runId: t.exposeID("runId", { description: progressDocs.runId }),
    status: t.expose("status", { type: RunStatusRef, description: progressDocs.status }),
    stage: t.expose("stage", { type: StageRef, description: progressDocs.stage }),
    counts: t.field({
      type: RunCountsRef,
      description: progressDocs.counts,
      resolve: (progress) => progress.counts
    }),
    filesTotal: t.exposeInt("filesTotal", { description: progressDocs.filesTotal }),
    bytesTotal: t.exposeFloat("bytesTotal", { description: progressDocs.bytesTotal }),
    currentFile: t.exposeString("currentFile", {
      nullable: true,
      description: progressDocs.currentFile
    }),
    etaMs: t.exposeFloat("etaMs", {
      nullable: true,
      description: progressDocs.etaMs
    })
  })
})
