import { Effect, Stream } from "effect"
import { type Chunk, textHash } from "../domain/Chunk.ts"
import type { Document } from "../domain/Document.ts"
import type { ChunkingError } from "../domain/errors.ts"
import type { FileState } from "../ports/catalog/DocumentCatalog.ts"
import type { Chunker } from "../ports/Chunker.ts"

/** A document with its chunks, ready to be embedded. */
export interface PreparedDocument {
  readonly document: Document
  readonly file: FileState
  readonly revision: string | null
  readonly chunks: ReadonlyArray<Chunk>
  /** `textHash` of each chunk's text, in the order of `chunks`. */
  readonly hashes: ReadonlyArray<string>
  readonly tooShort: number
}

/** Chunks a document and leaves out what is shorter than `minimumLength` (UTF-16 units of the text). */
export const prepareDocument = Effect.fnUntraced(function* (
  chunker: Chunker["Service"],
  document: Document,
  file: FileState,
  revision: string | null,
  minimumLength: number
): Effect.fn.Return<PreparedDocument, ChunkingError> {
  const all = yield* Stream.runCollect(chunker.split(document))
  const chunks = all.filter((chunk) => chunk.text.trim().length >= minimumLength)
  return {
    document,
    file,
    revision,
    chunks,
    hashes: chunks.map((chunk) => textHash(chunk.text)),
    tooShort: all.length - chunks.length
  }
})
