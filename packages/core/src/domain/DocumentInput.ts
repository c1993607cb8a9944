import { Schema } from "effect"
import { Metadata } from "./Document.ts"

/** A run removes documents of a configured source that are not on its disk: hence the rule for `source`. */
export const DocumentInput = Schema.Struct({
  source: Schema.String.annotate({
    description: "Name to file it under. May not be the name of a configured source."
  }),
  path: Schema.String.annotate({
    description: "POSIX path below that name; its ending tells the type."
  }),
  text: Schema.String.annotate({ description: "The text." }),
  mediaType: Schema.optional(Schema.String).annotate({
    description: "Media type; by default the ending of the path tells."
  }),
  metadata: Schema.optional(Metadata).annotate({
    description: "Metadata: texts, numbers, booleans and lists of texts, by key."
  })
}).annotate({ description: "A document that does not come from a configured source." })
export interface DocumentInput extends Schema.Schema.Type<typeof DocumentInput> {}
