import { bodyOf, type Chunk, Chunker, definePlugin, makeChunkIds } from "@omnirag/core/app"
import { markdownChunker } from "@omnirag/plugins-chunkers"
import { Effect, Layer, Schema, Stream } from "effect"

/** The lines of a chunk's body without its headings, ATX and setext. */
const withoutHeadings = (body: string): string =>
  body
    .replace(/^ {0,3}#{1,6}(?:[ \t].*)?$/gm, "")
    .replace(/^[^\n]+\n {0,3}(?:=+|-+)[ \t]*$/gm, "")
    .trim()

/**
 * A chunker `headless`: as `markdown`, but no heading gets into the index, neither as text nor as breadcrumb. Known-item
 * questions are headings themselves; with them in the index the test would measure nothing.
 */
export const headlessChunker = definePlugin({
  kind: "chunker",
  name: "headless",
  description: "Markdown without its headings; for measurements",
  options: Schema.Struct({}),
  layer: () =>
    Layer.effect(
      Chunker,
      Effect.gen(function* () {
        const markdown = yield* Chunker
        return Chunker.of({
          name: "headless",
          fingerprint: "headless",
          split: (document) => {
            const idOf = makeChunkIds(document.id)
            return markdown.split(document).pipe(
              Stream.map((chunk): Chunk => {
                const text = withoutHeadings(bodyOf(chunk))
                return {
                  ...chunk,
                  id: idOf(chunk.page, text),
                  text,
                  bodyOffset: 0,
                  end: chunk.start + text.length,
                  headingPath: []
                }
              }),
              Stream.filter((chunk) => chunk.text !== "")
            )
          }
        })
      })
    ).pipe(Layer.provide(markdownChunker.build({})))
})
