import type {
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

const IndexCountsRef = builder.objectRef<IndexCounts>("IndexCounts").implement({
  description: "How much is in an index.",
  fields: (t) => ({
    documents: t.exposeInt("documents", { description: "Documents." }),
    chunks: t.exposeInt("chunks", { description: "Chunks." }),
    vectors: t.exposeInt("vectors", { description: "Vectors in the cache." }),
    outbox: t.exposeInt("outbox", { description: "Writes the vector store has still to confirm." })
  })
})

const GenerationRef = builder.objectRef<GenerationInfo>("Generation").implement({
  description: "The documents as one chunker and one embedder see them.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the generation." }),
    live: t.exposeBoolean("live", { description: "True for the one that answers." }),
    embedder: t.exposeString("embedder", { description: "Name of the embedder." }),
    embedderFingerprint: t.exposeString("embedderFingerprint", {
      nullable: true,
      description: "Fingerprint of the embedder; null before it is fitted."
    }),
    chunkerFingerprint: t.exposeString("chunkerFingerprint", {
      nullable: true,
      description: "Fingerprint of the chunker; null before the first run."
    }),
    dimensions: t.exposeInt("dimensions", {
      nullable: true,
      description: "Length of the vectors; null before the embedder is fitted."
    }),
    vectorStore: t.exposeString("vectorStore", { description: "Name of the vector store." }),
    vectors: t.exposeInt("vectors", {
      description: "Vectors in the store; equal to `counts.chunks` when nothing is pending."
    }),
    counts: t.field({
      type: IndexCountsRef,
      description: "How much is in it.",
      resolve: (generation) => generation.counts
    })
  })
})

const HealthCheckRef = builder.objectRef<HealthCheck>("HealthCheck").implement({
  description: "The outcome of asking one part whether it works.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Name of the part." }),
    healthy: t.exposeBoolean("healthy", { description: "True when it works." }),
    optional: t.exposeBoolean("optional", {
      description:
        "True for a part that requests can do without, with a warning; `ready` does not depend on it."
    }),
    detail: t.string({
      description: "What is wrong and what to do; what was found, when healthy.",
      resolve: ({ detail, remedy }) =>
        publicText({ message: detail, ...(remedy === undefined ? {} : { remedy }) })
    })
  })
})

export const StatusRef = builder.objectRef<Status>("Status").implement({
  description: "What the system is made of and whether it works.",
  fields: (t) => ({
    version: t.exposeString("version", { description: "Version of the server." }),
    uptimeMs: t.exposeFloat("uptimeMs", { description: "Milliseconds since the process began." }),
    ready: t.exposeBoolean("ready", { description: "True when questions can be answered." }),
    generations: t.field({
      type: [GenerationRef],
      description: "The generations of the index.",
      resolve: (status) => status.generations
    }),
    activeRun: t.field({
      type: IndexRunRef,
      nullable: true,
      description: "The indexing run under way.",
      resolve: (status) => status.activeRun
    }),
    checks: t.field({
      type: [HealthCheckRef],
      description: "The outcome for each part.",
      resolve: (status) => status.checks
    })
  })
})

export const PluginInfoRef = builder.objectRef<PluginInfo>("PluginInfo").implement({
  description: "A plugin the server knows.",
  fields: (t) => ({
    kind: t.expose("kind", { type: PluginKindRef, description: "What it is for." }),
    name: t.exposeString("name", { description: "Its name in the configuration." }),
    description: t.exposeString("description", { description: "What it does." }),
    active: t.exposeBoolean("active", { description: "True when the configuration uses it." })
  })
})

export const SourceRef = builder.objectRef<SourceSummary>("Source").implement({
  description: "A source with what is indexed of it.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name: `repo` in filters." }),
    documents: t.exposeInt("documents", { description: "Documents in the index." }),
    chunks: t.exposeInt("chunks", { description: "Chunks in the index." }),
    revision: t.exposeString("revision", {
      nullable: true,
      description: "Revision it was last read at (a commit id), where known."
    })
  })
})
