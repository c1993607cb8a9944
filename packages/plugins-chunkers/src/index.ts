import { markdownChunker } from "./markdown/markdownChunker.ts"

export { MarkdownOptions } from "./markdown/options.ts"
export { markdownChunker } from "./markdown/markdownChunker.ts"

/** The chunkers of this package. */
export const chunkers = [markdownChunker] as const
