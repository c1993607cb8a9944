import { analyze, type Chunk, bodyOf, textHash } from "@omnirag/core/plugin"

/** Longer terms (encoded data, mostly) are kept as their hash, in UTF-16 units; FTS5 would cut them. */
const longestTerm = 128

// what the tokenizer of the index splits at: everything in ASCII that cannot be printed
// oxlint-disable-next-line no-control-regex
const separators = /[\0-\x20\x7f]/g

/** A term as the index keeps it: one token, whatever its characters, and the same for the same term everywhere. */
export const encodeTerm = (term: string): string => {
  const lower = term.toLowerCase().replace(separators, "\u{fffd}").toWellFormed()
  return lower.length > longestTerm ? `\u{fffd}${textHash(lower)}` : lower
}

const termsOf = (text: string): string => analyze(text).map(encodeTerm).join(" ")

/** What the lexical index holds of a chunk: terms joined by spaces. */
export interface ChunkTerms {
  readonly heading: string
  readonly body: string
}

/** Raise it whenever `chunkTerms` makes other terms of the same chunk though the analysis is the same. */
export const chunkTermsVersion = 1

/** The path of a document without its extension: file and folder names say what it is about. */
const pathWords = (documentId: string): string => documentId.replace(/\.[^./]+$/, "")

/**
 * The headings of a chunk with the title and the path of its document, and the body without the repeated breadcrumb. A
 * title that is one of the headings (the first, usually) counts once.
 */
export const chunkTerms = (documentTitle: string, chunk: Chunk): ChunkTerms => {
  // a file holds no lone surrogates: terms made before writing and after reading are to be the same
  const title = documentTitle.toWellFormed()
  const headings = chunk.headingPath.map((heading) => heading.toWellFormed())
  const path = pathWords(chunk.documentId).toWellFormed()
  return {
    heading: termsOf([...(headings.includes(title) ? [] : [title]), ...headings, path].join("\n")),
    body: termsOf(bodyOf(chunk).toWellFormed())
  }
}
