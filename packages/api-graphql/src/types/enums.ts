import { builder } from "../builder.ts"

export const SearchModeRef = builder.enumType("SearchMode", {
  description: "How candidates are found.",
  values: {
    HYBRID: { value: "hybrid", description: "By meaning and by words, fused." },
    VECTOR: { value: "vector", description: "By meaning: nearest vectors." },
    LEXICAL: { value: "lexical", description: "By words: BM25." }
  } as const
})

export const VerdictRef = builder.enumType("Verdict", {
  description: "The overall evaluation in a word.",
  values: {
    UNSAFE: { value: "unsafe", description: "There is no chunk to support an answer." },
    WEAK: { value: "weak", description: "Overall below 0.5." },
    GOOD: { value: "good", description: "Overall from 0.5, below 0.75." },
    EXCELLENT: { value: "excellent", description: "Overall 0.75 or above." }
  } as const
})

export const RunStatusRef = builder.enumType("RunStatus", {
  description: "Where an indexing run stands.",
  values: {
    RUNNING: { value: "running", description: "Under way." },
    SUCCEEDED: { value: "succeeded", description: "Ended; every file is up to date." },
    PARTIAL: { value: "partial", description: "Ended; some files failed and keep their old version." },
    FAILED: { value: "failed", description: "Ended before its work was done." },
    CANCELLED: { value: "cancelled", description: "Stopped on request; what was committed stays." }
  } as const
})

export const StageRef = builder.enumType("IndexStage", {
  description: "A stage of an indexing run.",
  values: {
    WALK: { value: "walk", description: "Listing the files of the sources." },
    LOAD: { value: "load", description: "Reading files into documents." },
    CHUNK: { value: "chunk", description: "Splitting documents." },
    FIT: { value: "fit", description: "Fitting the embedder on the corpus." },
    EMBED: { value: "embed", description: "Turning chunks into vectors." },
    COMMIT: { value: "commit", description: "Writing documents to the catalog." },
    STORE: { value: "store", description: "Writing vectors to the store." }
  } as const
})

export const PluginKindRef = builder.enumType("PluginKind", {
  description: "What a plugin is for.",
  values: {
    SOURCE: { value: "source", description: "Where documents come from." },
    LOADER: { value: "loader", description: "Turns files into documents." },
    CHUNKER: { value: "chunker", description: "Splits documents." },
    EMBEDDER: { value: "embedder", description: "Turns texts into vectors." },
    VECTOR_STORE: { value: "vectorStore", description: "Keeps and searches vectors." },
    CATALOG: { value: "catalog", description: "Keeps documents, chunks and the lexical index." },
    RERANKER: { value: "reranker", description: "Reorders hits." },
    ANSWERS: { value: "answers", description: "Writes answers." },
    LANGUAGE_MODEL: { value: "languageModel", description: "The model behind generated answers." }
  } as const
})
