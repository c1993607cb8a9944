/** The most of anything that one request may ask for or name. */
export const requestBounds = {
  /** UTF-16 units of a question. */
  questionLength: 10_000,
  /** Hits of a search, passages of an answer. */
  topK: 100,
  /** UTF-16 units of a text to preview. */
  previewLength: 1_000_000,
  /** Documents of one page. */
  documents: 1000,
  /** Chunks of one document, at once. */
  chunksOfDocument: 1000,
  /** Indexing runs listed. */
  runs: 100,
  /** Ids in one list. */
  ids: 1000
} as const

/** What holds where a request does not say. */
export const requestDefaults = {
  topK: 5,
  documents: 50,
  chunksOfDocument: 100,
  runs: 10,
  rerank: false,
  full: false
} as const
