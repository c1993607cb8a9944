import { Schema } from "effect"
import { Remedy } from "./Remedy.ts"

/**
 * Every failure a user can meet. Each class has a stable `code` that GraphQL puts into `extensions.code` and the
 * command line into its `--json` output; `message` says what happened and where, and what to do about it where that is
 * the same for everybody; otherwise `remedy` is a code that each edge words for its user.
 */

/** An argument of a request is out of its bounds. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  field: Schema.String,
  message: Schema.String
}) {
  get code() {
    return "BAD_USER_INPUT" as const
  }
}

/** The thing an id names does not exist in the index. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  kind: Schema.String,
  id: Schema.String
}) {
  get code() {
    return "NOT_FOUND" as const
  }
  override get message(): string {
    return `no ${this.kind} has the id "${this.id}"`
  }
}

/** The caller may not do this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  /** `write`: change single documents; `operate`: run and look at the indexer. */
  action: Schema.Literals(["write", "operate"])
}) {
  get code() {
    return "FORBIDDEN" as const
  }
  override get message(): string {
    return this.action === "write"
      ? "you may not change documents; ask the operator of this server for the right to write"
      : "you may not run or look at the indexer; ask the operator of this server for the right to operate it"
  }
}

/** One fault of a configuration file. */
export const ConfigFault = Schema.Struct({ path: Schema.String, message: Schema.String })
export type ConfigFault = typeof ConfigFault.Type

/** The configuration cannot be used; `faults` lists every fault with its path. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  file: Schema.String,
  faults: Schema.Array(ConfigFault)
}) {
  get code() {
    return "CONFIG_INVALID" as const
  }
  override get message(): string {
    const lines = this.faults.map((fault) => `  ${fault.path}: ${fault.message}`)
    return `${this.file} has ${this.faults.length} fault(s):\n${lines.join("\n")}`
  }
}

/** A plugin is unknown, is declared twice, refuses its options, or cannot be loaded. */
export class PluginError extends Schema.TaggedError<PluginError>()("PluginError", {
  kind: Schema.String,
  name: Schema.String,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "PLUGIN_INVALID" as const
  }
}

/** A configured source cannot be read at all. */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  source: Schema.String,
  message: Schema.String
}) {
  get code() {
    return "SOURCE_UNAVAILABLE" as const
  }
}

/** A file that cannot become a document, with the reason that the user sees. */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  path: Schema.String,
  reason: Schema.String
}) {
  get code() {
    return "DOCUMENT_REFUSED" as const
  }
  override get message(): string {
    return `${this.path} was not indexed: ${this.reason}`
  }
}

/** A chunker cannot split a document. */
export class ChunkingError extends Schema.TaggedError<ChunkingError>()("ChunkingError", {
  chunker: Schema.String,
  documentId: Schema.String,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "CHUNKING_FAILED" as const
  }
}

/** An embedder failed, or did not return one finite vector of the promised length for each text. */
export class EmbeddingError extends Schema.TaggedError<EmbeddingError>()("EmbeddingError", {
  embedder: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "EMBEDDING_FAILED" as const
  }
}

/** A vector store refused a call (`reason` names the caller's fault), cannot do it (`unsupported`) or failed (`unavailable`). */
export class VectorStoreError extends Schema.TaggedError<VectorStoreError>()("VectorStoreError", {
  store: Schema.String,
  reason: Schema.Literals([
    "dimensions",
    "notFinite",
    "notUnit",
    "topK",
    "id",
    "count",
    "closed",
    "unsupported",
    "unavailable",
    "native"
  ]),
  message: Schema.String,
  remedy: Schema.optionalKey(Remedy),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "VECTOR_STORE_FAILED" as const
  }
}

/**
 * A filter that the vector store cannot evaluate and that holds for more documents or chunks than `limit`, the most that
 * a query can name.
 */
export class FilterTooBroad extends Schema.TaggedError<FilterTooBroad>()("FilterTooBroad", {
  store: Schema.String,
  limit: Schema.Int,
  message: Schema.String
}) {
  get code() {
    return "FILTER_TOO_BROAD" as const
  }
}

/** A file of the index is missing, damaged or from another index. */
export class IndexCorrupt extends Schema.TaggedError<IndexCorrupt>()("IndexCorrupt", {
  file: Schema.String,
  reason: Schema.String,
  remedy: Remedy
}) {
  get code() {
    return "INDEX_CORRUPT" as const
  }
  override get message(): string {
    return `${this.file}: ${this.reason}`
  }
}

/** The model behind the embedder is not the one the index was built with. */
export class ModelChanged extends Schema.TaggedError<ModelChanged>()("ModelChanged", {
  indexed: Schema.String,
  configured: Schema.String
}) {
  get code() {
    return "MODEL_CHANGED" as const
  }
  get remedy(): Remedy {
    return "index"
  }
  override get message(): string {
    return `the index holds vectors of ${this.indexed}, but the embedder is now ${this.configured}`
  }
}

/** The catalog's database failed. */
export class CatalogError extends Schema.TaggedError<CatalogError>()("CatalogError", {
  operation: Schema.String,
  message: Schema.String,
  remedy: Schema.optionalKey(Remedy),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "CATALOG_FAILED" as const
  }
}

/** Another process writes to this index. */
export class IndexLocked extends Schema.TaggedError<IndexLocked>()("IndexLocked", {
  holder: Schema.String
}) {
  get code() {
    return "INDEX_LOCKED" as const
  }
  override get message(): string {
    return `the index is being written by ${this.holder}; wait for it to end or stop it, then try again`
  }
}

/** An indexing run is already under way in this process. */
export class RunInProgress extends Schema.TaggedError<RunInProgress>()("RunInProgress", {
  runId: Schema.String
}) {
  get code() {
    return "RUN_IN_PROGRESS" as const
  }
  override get message(): string {
    return `the run ${this.runId} is still under way; wait for it or cancel it first`
  }
}

/** A reranker failed; retrieval keeps the given order and says so. */
export class RerankError extends Schema.TaggedError<RerankError>()("RerankError", {
  reranker: Schema.String,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "RERANK_FAILED" as const
  }
}

/** The answer generator (a language model, usually) failed. */
export class AnswerError extends Schema.TaggedError<AnswerError>()("AnswerError", {
  generator: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  get code() {
    return "GENERATION_FAILED" as const
  }
}

/** What can go wrong while the index is opened or read. */
export type IndexError = CatalogError | VectorStoreError | EmbeddingError | IndexCorrupt | ModelChanged

/** Every error a use case may show at an edge (GraphQL, command line). */
export type AppError =
  | InvalidInput
  | FilterTooBroad
  | NotFound
  | Forbidden
  | ConfigError
  | PluginError
  | SourceError
  | DocumentRefused
  | ChunkingError
  | IndexLocked
  | RunInProgress
  | RerankError
  | AnswerError
  | IndexError
