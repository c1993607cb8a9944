import { Schema, Struct } from "effect"
import { Document } from "./Document.ts"

/** What the index knows of a document: all but its text and pages. */
export const DocumentRecord = Schema.Struct({
  ...Struct.omit(Document.fields, ["text", "pages"]),
  revision: Schema.NullOr(Schema.String).annotate({
    description: "Revision of the source it was read at (a commit id), where known."
  }),
  chunks: Schema.Int.annotate({ description: "Number of its chunks." }),
  length: Schema.Int.annotate({ description: "Length of the text in UTF-16 units." }),
  // milliseconds since 1970-01-01 UTC
  indexedAt: Schema.Int.annotate({ description: "When it was indexed." })
}).annotate({ description: "An indexed document. Offsets everywhere refer to its `text`, in UTF-16 units." })
export interface DocumentRecord extends Schema.Schema.Type<typeof DocumentRecord> {}

export const DocumentPage = Schema.Struct({
  documents: Schema.Array(DocumentRecord).annotate({ description: "The documents." }),
  next: Schema.NullOr(Schema.String).annotate({
    description: "Pass as `after` to read on; null on the last page."
  }),
  total: Schema.Int.annotate({ description: "Number of documents on all pages." })
}).annotate({ description: "A page of documents, in the order of their ids." })
export interface DocumentPage extends Schema.Schema.Type<typeof DocumentPage> {}
