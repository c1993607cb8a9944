import { Context, type Effect } from "effect"
import type { Document } from "../domain/Document.ts"
import type { DocumentRefused } from "../domain/errors.ts"

/** A file to load. */
export interface LoadRequest {
  /** Name of the source: the first part of the id of the document. */
  readonly source: string
  /** POSIX path below the root of the source. */
  readonly path: string
  readonly bytes: Uint8Array
  /** When the caller knows it; otherwise the loader goes by the name and the first bytes. */
  readonly mediaType?: string | undefined
}

/** Turns a file of some media types into a document with its canonical text. */
export class DocumentLoader extends Context.Service<
  DocumentLoader,
  {
    readonly name: string
    /** Lower-case extensions with their dot, each with the media type it stands for. */
    readonly extensions: Readonly<Record<string, string>>
    /**
     * The document; `DocumentRefused`, with the reason for the user, when the bytes cannot become one. Never a defect,
     * whatever the bytes are.
     */
    readonly load: (request: LoadRequest) => Effect.Effect<Document, DocumentRefused>
  }
>()("@omnirag/core/ports/DocumentLoader") {}
