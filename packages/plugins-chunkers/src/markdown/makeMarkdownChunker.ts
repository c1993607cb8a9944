import { Chunker, type Chunk, ChunkingError, type Document } from "@omnirag/core/plugin"
import { Effect, Layer, Stream } from "effect"
import { chunks, parseMarkdown, parsePlain, textStart } from "./chunks.ts"
import type { MarkdownOptions } from "./options.ts"

/** Raise it with every change of the algorithm that can split a document differently. */
const version = 1

/** Chunks made at a time: few, so that little is wasted when a reader stops early. */
const chunkSize = 64

const toStream = (iterable: Iterable<Chunk>) => Stream.fromIterable(iterable, { chunkSize })

/**
 * Splits markdown by its structure: into sections by headings, and inside them fences, tables, list items, quotes and
 * paragraphs are units. `text/plain` has only paragraphs. A document that the parser cannot read (a tag of several
 * megabytes) is split like plain text, and this is logged.
 */
export const makeMarkdownChunker = (options: MarkdownOptions): Chunker["Service"] => {
  const split = (document: Document): Stream.Stream<Chunk, ChunkingError> => {
    const plainStream = (from: number) =>
      Effect.sync(() => {
        const parsed = parsePlain(document.text, from)
        return toStream({ [Symbol.iterator]: () => chunks(document, parsed, true, options) })
      })
    if (document.mediaType === "text/plain") return Stream.unwrap(plainStream(0))
    return Stream.unwrap(
      Effect.try({
        try: () => parseMarkdown(document.text),
        catch: (cause) =>
          new ChunkingError({
            chunker: "markdown",
            documentId: document.id,
            message: "the markdown parser failed",
            cause
          })
      }).pipe(
        Effect.map((parsed) =>
          toStream({ [Symbol.iterator]: () => chunks(document, parsed, false, options) })
        ),
        Effect.catchTag("ChunkingError", (error) =>
          Effect.logWarning(`${document.id}: no headings, because ${error.message}`, error).pipe(
            Effect.andThen(plainStream(textStart(document.text)))
          )
        )
      )
    )
  }
  return {
    name: "markdown",
    fingerprint: `markdown:${version}:${JSON.stringify([options.maxLength, options.minLength, options.overlap])}`,
    split
  }
}

/** The chunker `markdown` with these options. */
export const markdownLayer = (options: MarkdownOptions): Layer.Layer<Chunker> =>
  Layer.succeed(Chunker, makeMarkdownChunker(options))
