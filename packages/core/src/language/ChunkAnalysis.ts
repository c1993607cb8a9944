import { bodyOf, type Chunk } from "../domain/Chunk.ts"
import { analysisVersion, analyze } from "./terms.ts"

/** The terms by which a chunk is found. */
export interface ChunkTerms {
  /** Terms of the headings, the title and the path of the document; they weigh more. */
  readonly heading: ReadonlyArray<string>
  /** Terms of the range of the document that the chunk stands for. */
  readonly body: ReadonlyArray<string>
}

/** Makes terms out of chunks, for whatever lexical index keeps them. */
export interface ChunkAnalysis {
  /** Changes whenever the same chunk could get other terms. */
  readonly version: string
  readonly termsOf: (documentTitle: string, chunk: Chunk) => ChunkTerms
}

/** Raise it whenever `termsOf` makes other terms of the same chunk though the analysis of words is the same. */
const termsOfVersion = 1

/** The path of a document without its extension: file and folder names say what it is about. */
const pathWords = (documentId: string): string => documentId.replace(/\.[^./]+$/, "")

/**
 * The analysis in use: the headings of a chunk with the title and the path of its document, and the body without the
 * repeated breadcrumb. A title that is one of the headings (the first, usually) counts once.
 */
export const chunkAnalysis: ChunkAnalysis = {
  version: `${analysisVersion}.${termsOfVersion}`,
  termsOf: (documentTitle, chunk) => {
    // stored texts hold no lone surrogates: terms made before writing and after reading are to be the same
    const title = documentTitle.toWellFormed()
    const headings = chunk.headingPath.map((heading) => heading.toWellFormed())
    const path = pathWords(chunk.documentId).toWellFormed()
    return {
      heading: analyze([...(headings.includes(title) ? [] : [title]), ...headings, path].join("\n")),
      body: analyze(bodyOf(chunk).toWellFormed())
    }
  }
}
