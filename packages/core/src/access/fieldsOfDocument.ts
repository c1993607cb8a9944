import type { Document } from "../domain/Document.ts"
import type { DocumentRecord } from "../domain/DocumentRecord.ts"
import type { ChunkFields } from "../domain/Filter.ts"

/** What a filter on fields of documents can ask of a document. */
export const fieldsOfDocument = ({
  bundle,
  id,
  mediaType,
  metadata,
  path,
  source
}: DocumentRecord | Document): ChunkFields => ({
  documentId: id,
  repo: source,
  bundle,
  path,
  mediaType,
  intent: null,
  page: null,
  confidence: 1,
  metadata
})
