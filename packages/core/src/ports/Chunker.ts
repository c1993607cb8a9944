import { Context, type Stream } from "effect"
import type { Chunk } from "../domain/Chunk.ts"
import type { Document } from "../domain/Document.ts"
import type { ChunkingError } from "../domain/errors.ts"

/**
 * Splits a document. Deterministic: the same document gives the same chunks with the same ids.
 *
 * Chunks come in the order of the text; `[start, end)` are in bounds and do not overlap unless the chunker is
 * configured to; their union covers every character that is not white space (front matter, which is metadata, aside).
 */
export class Chunker extends Context.Service<
  Chunker,
  {
    readonly name: string
    /** Changes whenever the same document could be split differently: name, version and options. */
    readonly fingerprint: string
    /** The chunks, lazily. `ChunkingError` when the document cannot be split: its old version stays. */
    readonly split: (document: Document) => Stream.Stream<Chunk, ChunkingError>
  }
>()("@omnirag/core/ports/Chunker") {}
