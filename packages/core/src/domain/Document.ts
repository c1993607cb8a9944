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

/** A page of a paginated document: `[start, end)` in UTF-16 units of the canonical text, pages count from 1. */
export const Page = Schema.Struct({ page: Schema.Int, start: Schema.Int, end: Schema.Int })
export type Page = typeof Page.Type

/** What a loader makes of one file. All offsets anywhere refer to `text`, in UTF-16 units. */
export const Document = Schema.Struct({
  /** Source name, a slash, and the path: unique in the index and the same on every machine. */
  id: Schema.String,
  /** The name of the configured source (a repository, usually). */
  source: Schema.String,
  /** POSIX path below the root of the source. */
  path: Schema.String,
  /** First folder of the path; null for a file in the root. */
  bundle: Schema.NullOr(Schema.String),
  mediaType: Schema.String,
  /** First heading or front-matter title; the file name where there is none. */
  title: Schema.String,
  /** The canonical text: decoded, without byte-order mark, line ends as they are in the file. */
  text: Schema.String,
  /** SHA-256 (hex) of the bytes of the file. */
  contentHash: Schema.String,
  metadata: Metadata,
  /** Empty for documents without pages. */
  pages: Schema.Array(Page)
})
export interface Document extends Schema.Schema.Type<typeof Document> {}

/** The id of the document at `path` of `source`. */
export const documentId = (source: string, path: string): string => `${source}/${path}`

/** The bundle of a path: its first folder, or null for a file in the root. */
export const bundleOf = (path: string): string | null => {
  const slash = path.indexOf("/")
  return slash === -1 ? null : path.slice(0, slash)
}
