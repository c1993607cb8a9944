/** The words of texts alone, for worker threads: `@omnirag/core` brings the whole core along. */
export * from "./sentences.ts"
export * from "./stopWords.ts"
export * from "./terms.ts"
export * from "./words.ts"
