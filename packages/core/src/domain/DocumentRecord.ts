import type { Metadata } from "./Document.ts"

/** A document as the index knows it, without its text. */
export interface DocumentRecord {
  readonly id: string
  readonly source: string
  readonly path: string
  readonly bundle: string | null
  readonly mediaType: string
  readonly title: string
  readonly contentHash: string
  readonly metadata: Metadata
  readonly revision: string | null
  readonly chunks: number
  /** Length of the text in UTF-16 units. */
  readonly length: number
  /** Milliseconds since 1970-01-01 UTC. */
  readonly indexedAt: number
}
