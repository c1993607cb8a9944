import { definePlugin } from "@omnirag/core/plugin"
import { MarkdownOptions } from "./options.ts"

/** The chunker `markdown`. */
export const markdownChunker = definePlugin({
  kind: "chunker",
  name: "markdown",
  description: "Splits markdown by headings and blocks; plain text by paragraphs",
  options: MarkdownOptions,
  load: () => import("./makeMarkdownChunker.ts").then(({ markdownLayer }) => markdownLayer)
})
