import { Schema } from "effect"
import { HealthCheck } from "./HealthCheck.ts"
import { IndexRun } from "./IndexRun.ts"

export const IndexCounts = Schema.Struct({
  documents: Schema.Int.annotate({ description: "Documents." }),
  chunks: Schema.Int.annotate({ description: "Chunks." }),
  vectors: Schema.Int.annotate({ description: "Vectors in the cache." }),
  outbox: Schema.Int.annotate({ description: "Writes the vector store has still to confirm." })
}).annotate({ description: "How much is in an index." })
export interface IndexCounts extends Schema.Schema.Type<typeof IndexCounts> {}

export const GenerationInfo = Schema.Struct({
  id: Schema.String.annotate({ description: "Id of the generation." }),
  live: Schema.Boolean.annotate({ description: "True for the one that answers." }),
  embedder: Schema.String.annotate({ description: "Name of the embedder." }),
  embedderFingerprint: Schema.NullOr(Schema.String).annotate({
    description: "Fingerprint of the embedder; null before it is fitted."
  }),
  chunkerFingerprint: Schema.NullOr(Schema.String).annotate({
    description: "Fingerprint of the chunker; null before the first run."
  }),
  dimensions: Schema.NullOr(Schema.Int).annotate({
    description: "Length of the vectors; null before the embedder is fitted."
  }),
  vectorStore: Schema.String.annotate({ description: "Name of the vector store." }),
  vectors: Schema.Int.annotate({
    description: "Vectors in the store; equal to `counts.chunks` when nothing is pending."
  }),
  counts: IndexCounts.annotate({ description: "How much is in it." })
}).annotate({ description: "The documents as one chunker and one embedder see them." })
export interface GenerationInfo extends Schema.Schema.Type<typeof GenerationInfo> {}

export const Status = Schema.Struct({
  version: Schema.String.annotate({ description: "Version of the server." }),
  uptimeMs: Schema.Int.annotate({ description: "Milliseconds since the process began." }),
  ready: Schema.Boolean.annotate({ description: "True when questions can be answered." }),
  generations: Schema.Array(GenerationInfo).annotate({ description: "The generations of the index." }),
  activeRun: Schema.NullOr(IndexRun).annotate({ description: "The indexing run under way." }),
  checks: Schema.Array(HealthCheck).annotate({ description: "The outcome for each part." })
}).annotate({ description: "What the system is made of and whether it works." })
export interface Status extends Schema.Schema.Type<typeof Status> {}
