import { Schema } from "effect"
import { hash } from "node:crypto"

/**
 * A part of a document that is embedded, retrieved and cited as one.
 *
 * `[start, end)` is the exact range in the document's canonical text (UTF-16 units) that the chunk stands for. `text`
 * holds that range verbatim at `bodyOffset`; what stands before it is context a reader needs (the breadcrumb of the
 * headings above, a reopened fence, a repeated table header), what stands after it closes what was opened.
 */
export const Chunk = Schema.Struct({
  /** SHA-1 (hex) of document id, page and text; a repeat on the same page adds its ordinal. */
  id: Schema.String,
  documentId: Schema.String,
  /** Position among the chunks of the document, from 0. */
  index: Schema.Int,
  text: Schema.String,
  bodyOffset: Schema.Int,
  start: Schema.Int,
  end: Schema.Int,
  /** First and last line of the range, from 1. */
  startLine: Schema.Int,
  endLine: Schema.Int,
  /** Headings from the outermost to the one the chunk stands under. */
  headingPath: Schema.Array(Schema.String),
  page: Schema.NullOr(Schema.Int),
  intent: Schema.NullOr(Schema.String),
  /** 0.1 … 1; 1 where the chunker does not judge. */
  confidence: Schema.Finite
})
export interface Chunk extends Schema.Schema.Type<typeof Chunk> {}

/** The part of `chunk.text` that is the source verbatim: `document.text.slice(chunk.start, chunk.end)`. */
export const bodyOf = (chunk: Chunk): string =>
  chunk.text.slice(chunk.bodyOffset, chunk.bodyOffset + chunk.end - chunk.start)

/** Hash of an embedded text: the key of the vectors cache together with the embedder's fingerprint and the role. */
export const textHash = (text: string): string => hash("sha1", text)

/** Gives the chunks of one document their ids; the same texts in the same order always give the same ids. */
export const makeChunkIds = (documentId: string): ((page: number | null, text: string) => string) => {
  const seen = new Map<string, number>()
  return (page, text) => {
    // the hash takes every lone surrogate for the same character, so the count of repeats must too
    const key = `${documentId}\0${page ?? 1}\0${text}`.toWellFormed()
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return textHash(ordinal === 0 ? key : `${key}\0${ordinal}`)
  }
}
