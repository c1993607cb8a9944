import { Schema } from "effect"

export const SourceSummary = Schema.Struct({
  name: Schema.String.annotate({ description: "Its name: `repo` in filters." }),
  documents: Schema.Int.annotate({ description: "Documents in the index." }),
  chunks: Schema.Int.annotate({ description: "Chunks in the index." }),
  revision: Schema.NullOr(Schema.String).annotate({
    description: "Revision it was last read at (a commit id), where known."
  })
}).annotate({ description: "A source with what is indexed of it." })
export interface SourceSummary extends Schema.Schema.Type<typeof SourceSummary> {}
