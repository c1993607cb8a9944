import { definePlugin, DocumentLoader } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { loadText, type TextParts } from "./loadText.ts"

const mediaType = "text/plain"

const untitled = (): TextParts => ({ title: undefined, metadata: {} })

/** The loader plugin `text`: plain text; its title is the name of the file. */
export const text = definePlugin({
  kind: "loader",
  name: "text",
  description: "Plain text files (.txt, .text, .rst, .adoc, .log)",
  options: Schema.Struct({}),
  layer: () =>
    Layer.succeed(DocumentLoader, {
      name: "text",
      extensions: {
        ".txt": mediaType,
        ".text": mediaType,
        ".rst": mediaType,
        ".adoc": mediaType,
        ".log": mediaType
      },
      load: Effect.fn("text.load")((request) => loadText(request, mediaType, untitled))
    })
})
