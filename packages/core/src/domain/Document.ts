import { Schema } from "effect"

/** A value of front matter or of another source of metadata, as far as filters can use it. */
export const MetadataValue = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Array(Schema.String)
])
export type MetadataValue = typeof MetadataValue.Type

/** What a document says about itself, by name. */
export const Metadata = Schema.Record(Schema.String, MetadataValue)
export type Metadata = typeof Metadata.Type

export const Page = Schema.Struct({
  page: Schema.Int.annotate({ description: "Number of the page, from 1." }),
  start: Schema.Int.annotate({ description: "Begin of the page in the canonical text, in UTF-16 units." }),
  end: Schema.Int.annotate({ description: "End of the page (exclusive), in UTF-16 units." })
}).annotate({ description: "A page of a document that has pages." })
export type Page = typeof Page.Type

/** What a loader makes of one file. The id is the same on every machine. */
export const Document = Schema.Struct({
  id: Schema.String.annotate({ description: "Source name, a slash, and the path." }),
  source: Schema.String.annotate({ description: "Name of the source (a repository, usually)." }),
  path: Schema.String.annotate({ description: "POSIX path below the root of the source." }),
  bundle: Schema.NullOr(Schema.String).annotate({
    description: "First folder of the path; null for a file in the root."
  }),
  mediaType: Schema.String.annotate({ description: "Media type, such as `text/markdown`." }),
  title: Schema.String.annotate({ description: "First heading or title; the file name without one." }),
  text: Schema.String.annotate({
    description: "The canonical text: decoded, without byte-order mark, line ends as in the file."
  }),
  contentHash: Schema.String.annotate({ description: "SHA-256 (hex) of the bytes of the file." }),
  metadata: Metadata.annotate({ description: "Front matter and other metadata." }),
  pages: Schema.Array(Page).annotate({ description: "Its pages; empty for a document without pages." })
}).annotate({
  description: "An indexed document. Offsets everywhere refer to its `text`, in UTF-16 units."
})
export interface Document extends Schema.Schema.Type<typeof Document> {}

/** The id of the document at `path` of `source`. */
export const documentId = (source: string, path: string): string => `${source}/${path}`

/** The bundle of a path: its first folder, or null for a file in the root. */
export const bundleOf = (path: string): string | null => {
  const slash = path.indexOf("/")
  return slash === -1 ? null : path.slice(0, slash)
}
