import {
  descriptionOf,
  descriptionsOf,
  IndexCounts,
  GenerationInfo,
  HealthCheck,
  PluginInfo,
  SourceSummary,
  Status
} from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { PluginKindRef } from "./enums.ts"
import { IndexRunRef } from "./IndexRun.ts"

const countsDocs = descriptionsOf(IndexCounts)
const IndexCountsRef = builder.objectRef<IndexCounts>("IndexCounts").implement({
  description: descriptionOf(IndexCounts),
  fields: (t) => ({
    documents: t.exposeInt("documents", { description: countsDocs.documents }),
    chunks: t.exposeInt("chunks", { description: countsDocs.chunks }),
    vectors: t.exposeInt("vectors", { description: countsDocs.vectors }),
    outbox: t.exposeInt("outbox", { description: countsDocs.outbox })
  })
})

const generationDocs = descriptionsOf(GenerationInfo)
const GenerationRef = builder.objectRef<GenerationInfo>("Generation").implement({
  description: descriptionOf(GenerationInfo),
  fields: (t) => ({
    id: t.exposeID("id", { description: generationDocs.id }),
    live: t.exposeBoolean("live", { description: generationDocs.live }),
    embedder: t.exposeString("embedder", { description: generationDocs.embedder }),
    embedderFingerprint: t.exposeString("embedderFingerprint", {
      nullable: true,
      description: generationDocs.embedderFingerprint
    }),
    chunkerFingerprint: t.exposeString("chunkerFingerprint", {
      nullable: true,
      description: generationDocs.chunkerFingerprint
    }),
    dimensions: t.exposeInt("dimensions", {
      nullable: true,
      description: generationDocs.dimensions
    }),
    vectorStore: t.exposeString("vectorStore", { description: generationDocs.vectorStore }),
    vectors: t.exposeInt("vectors", {
      description: generationDocs.vectors
    }),
    counts: t.field({
      type: IndexCountsRef,
      description: generationDocs.counts,
      resolve: (generation) => generation.counts
    })
  })
})

const checkDocs = descriptionsOf(HealthCheck)
const HealthCheckRef = builder.objectRef<HealthCheck>("HealthCheck").implement({
  description: descriptionOf(HealthCheck),
  fields: (t) => ({
    name: t.exposeString("name", { description: checkDocs.name }),
    healthy: t.exposeBoolean("healthy", { description: checkDocs.healthy }),
    optional: t.exposeBoolean("optional", {
      description: checkDocs.optional
    }),
    detail: t.string({
      description: checkDocs.detail,
      resolve: ({ detail, remedy }) =>
        publicText({ message: detail, ...(remedy === undefined ? {} : { remedy }) })
    })
  })
})

const statusDocs = descriptionsOf(Status)
export const StatusRef = builder.objectRef<Status>("Status").implement({
  description: descriptionOf(Status),
  fields: (t) => ({
    version: t.exposeString("version", { description: statusDocs.version }),
    uptimeMs: t.exposeFloat("uptimeMs", { description: statusDocs.uptimeMs }),
    ready: t.exposeBoolean("ready", { description: statusDocs.ready }),
    generations: t.field({
      type: [GenerationRef],
      description: statusDocs.generations,
      resolve: (status) => status.generations
    }),
    activeRun: t.field({
      type: IndexRunRef,
      nullable: true,
      description: statusDocs.activeRun,
      resolve: (status) => status.activeRun
    }),
    checks: t.field({
      type: [HealthCheckRef],
      description: statusDocs.checks,
      resolve: (status) => status.checks
    })
  })
})

const pluginDocs = descriptionsOf(PluginInfo)
export const PluginInfoRef = builder.objectRef<PluginInfo>("PluginInfo").implement({
  description: descriptionOf(PluginInfo),
  fields: (t) => ({
    kind: t.expose("kind", { type: PluginKindRef, description: pluginDocs.kind }),
    name: t.exposeString("name", { description: pluginDocs.name }),
    description: t.exposeString("description", { description: pluginDocs.description }),
    active: t.exposeBoolean("active", { description: pluginDocs.active })
  })
})

const sourceDocs = descriptionsOf(SourceSummary)
export const SourceRef = builder.objectRef<SourceSummary>("Source").implement({
  description: descriptionOf(SourceSummary),
  fields: (t) => ({
    name: t.exposeString("name", { description: sourceDocs.name }),
    documents: t.exposeInt("documents", { description: sourceDocs.documents }),
    chunks: t.exposeInt("chunks", { description: sourceDocs.chunks }),
    revision: t.exposeString("revision", {
      nullable: true,
      description: sourceDocs.revision
    })
  })
})
