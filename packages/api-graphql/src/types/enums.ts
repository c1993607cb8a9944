import {
  descriptionOf,
  PluginKind,
  RunStatus,
  SearchMode,
  Stage,
  valueDescriptionsOf,
  Verdict
} from "@omnirag/core/app"
import { builder } from "../builder.ts"

const modeDocs = valueDescriptionsOf(SearchMode)
export const SearchModeRef = builder.enumType("SearchMode", {
  description: descriptionOf(SearchMode),
  values: {
    HYBRID: { value: "hybrid", description: modeDocs.hybrid },
    VECTOR: { value: "vector", description: modeDocs.vector },
    LEXICAL: { value: "lexical", description: modeDocs.lexical }
  } as const
})

const verdictDocs = valueDescriptionsOf(Verdict)
export const VerdictRef = builder.enumType("Verdict", {
  description: descriptionOf(Verdict),
  values: {
    UNSAFE: { value: "unsafe", description: verdictDocs.unsafe },
    WEAK: { value: "weak", description: verdictDocs.weak },
    GOOD: { value: "good", description: verdictDocs.good },
    EXCELLENT: { value: "excellent", description: verdictDocs.excellent }
  } as const
})

const runStatusDocs = valueDescriptionsOf(RunStatus)
export const RunStatusRef = builder.enumType("RunStatus", {
  description: descriptionOf(RunStatus),
  values: {
    RUNNING: { value: "running", description: runStatusDocs.running },
    SUCCEEDED: { value: "succeeded", description: runStatusDocs.succeeded },
    PARTIAL: { value: "partial", description: runStatusDocs.partial },
    FAILED: { value: "failed", description: runStatusDocs.failed },
    CANCELLED: { value: "cancelled", description: runStatusDocs.cancelled }
  } as const
})

const stageDocs = valueDescriptionsOf(Stage)
export const StageRef = builder.enumType("IndexStage", {
  description: descriptionOf(Stage),
  values: {
    WALK: { value: "walk", description: stageDocs.walk },
    LOAD: { value: "load", description: stageDocs.load },
    CHUNK: { value: "chunk", description: stageDocs.chunk },
    FIT: { value: "fit", description: stageDocs.fit },
    EMBED: { value: "embed", description: stageDocs.embed },
    COMMIT: { value: "commit", description: stageDocs.commit },
    STORE: { value: "store", description: stageDocs.store }
  } as const
})

const kindDocs = valueDescriptionsOf(PluginKind)
export const PluginKindRef = builder.enumType("PluginKind", {
  description: descriptionOf(PluginKind),
  values: {
    SOURCE: { value: "source", description: kindDocs.source },
    LOADER: { value: "loader", description: kindDocs.loader },
    CHUNKER: { value: "chunker", description: kindDocs.chunker },
    EMBEDDER: { value: "embedder", description: kindDocs.embedder },
    VECTOR_STORE: { value: "vectorStore", description: kindDocs.vectorStore },
    CATALOG: { value: "catalog", description: kindDocs.catalog },
    RERANKER: { value: "reranker", description: kindDocs.reranker },
    ANSWERS: { value: "answers", description: kindDocs.answers },
    LANGUAGE_MODEL: { value: "languageModel", description: kindDocs.languageModel }
  } as const
})
