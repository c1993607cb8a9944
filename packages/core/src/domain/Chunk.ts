import { Schema } from "effect"
import { hash } from "node:crypto"

/**
 * `text` holds the range `[start, end)` verbatim at `bodyOffset`; the text before it is context that a reader needs
 * (the headings above, a reopened fence, a repeated table header), and the text after it closes what was opened.
 */
export const Chunk = Schema.Struct({
  // a repeat on the same page adds its ordinal: see `makeChunkIds`
  id: Schema.String.annotate({
    description: "SHA-1 of document, page and text: the same text keeps its id."
  }),
  documentId: Schema.String.annotate({ description: "The document it is a part of." }),
  index: Schema.Int.annotate({ description: "Position among the chunks of the document, from 0." }),
  text: Schema.String.annotate({
    description: "What is embedded: the range of the document, with the headings above it as context."
  }),
  bodyOffset: Schema.Int.annotate({
    description: "Where in `text` the range of the document begins; it is there verbatim."
  }),
  start: Schema.Int.annotate({ description: "Begin of the range, in UTF-16 units." }),
  end: Schema.Int.annotate({ description: "End of the range (exclusive), in UTF-16 units." }),
  startLine: Schema.Int.annotate({ description: "First line, from 1." }),
  endLine: Schema.Int.annotate({ description: "Last line, from 1." }),
  headingPath: Schema.Array(Schema.String).annotate({
    description: "Headings it stands under, outermost first."
  }),
  page: Schema.NullOr(Schema.Int).annotate({ description: "Page, from 1; null without pages." }),
  intent: Schema.NullOr(Schema.String).annotate({
    description: "What kind of statement it makes, where the chunker classifies."
  }),
  confidence: Schema.Finite.annotate({
    description: "How much the chunk says, 0.1 … 1; 1 where the chunker does not judge."
  })
}).annotate({
  description:
    "A part of a document that is embedded, retrieved and cited as one. `[start, end)` is its exact range in the text of the document, in UTF-16 units."
})
export interface Chunk extends Schema.Schema.Type<typeof Chunk> {}

/** The part of `chunk.text` that is the source verbatim: `document.text.slice(chunk.start, chunk.end)`. */
export const bodyOf = (chunk: Chunk): string =>
  chunk.text.slice(chunk.bodyOffset, chunk.bodyOffset + chunk.end - chunk.start)

/**
 * Hash of an embedded text. Together with the embedder's fingerprint and the role it is the key of the vector cache.
 */
export const textHash = (text: string): string => hash("sha1", text)

/** Gives the chunks of one document their ids; the same texts in the same order always give the same ids. */
export const makeChunkIds = (documentId: string): ((page: number | null, text: string) => string) => {
  const seen = new Map<string, number>()
  return (page, text) => {
    // for the hash, all lone surrogates are the same character, so they must be the same for the count of repeats
    const key = `${documentId}\0${page ?? 1}\0${text}`.toWellFormed()
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return textHash(ordinal === 0 ? key : `${key}\0${ordinal}`)
  }
}
