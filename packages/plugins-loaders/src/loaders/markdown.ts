import { definePlugin, DocumentLoader, frontMatter } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { firstHeading } from "./firstHeading.ts"
import { loadText, type TextParts } from "./loadText.ts"

const mediaType = "text/markdown"

const partsOf = (text: string): TextParts => {
  const { end, metadata } = frontMatter(text)
  const title = typeof metadata["title"] === "string" ? metadata["title"].trim() : ""
  return { title: title === "" ? firstHeading(text, end) : title, metadata }
}

/** The loader plugin `markdown`: front matter becomes metadata and stays in the text, so that offsets stay correct. */
export const markdown = definePlugin({
  kind: "loader",
  name: "markdown",
  description: "Markdown files (.md, .markdown, .mdx) with their front matter",
  options: Schema.Struct({}),
  layer: () =>
    Layer.succeed(DocumentLoader, {
      name: "markdown",
      extensions: { ".md": mediaType, ".markdown": mediaType, ".mdx": mediaType },
      load: Effect.fn("markdown.load")((request) => loadText(request, mediaType, partsOf))
    })
})
