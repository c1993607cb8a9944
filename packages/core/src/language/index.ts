/** Only the analysis of words, for worker threads: the other doors of `@omnirag/core` would load all of core. */
export * from "./sentences.ts"
export * from "./stopWords.ts"
export * from "./terms.ts"
export * from "./words.ts"
