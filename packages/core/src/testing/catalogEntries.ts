import { type Chunk, makeChunkIds, textHash } from "../domain/Chunk.ts"
import { type Document, bundleOf, documentId } from "../domain/Document.ts"
import { emptyCounts, type IndexRun } from "../domain/IndexRun.ts"
import type { DocumentEntry } from "../ports/catalog/DocumentCatalog.ts"

/** A chunk of a test document; what is left out is plain. */
export interface ChunkSpec {
  readonly text: string
  readonly headings?: ReadonlyArray<string>
  readonly page?: number | null
  readonly intent?: string | null
  readonly confidence?: number
}

export interface EntrySpec extends Partial<
  Pick<Document, "source" | "path" | "bundle" | "title" | "mediaType" | "metadata">
> {
  readonly chunks: ReadonlyArray<string | ChunkSpec>
  readonly revision?: string | null
  /** Vectors are made for every chunk, with the fingerprint "model". */
  readonly vectors?: boolean
}

/** The vector the suite gives to a text: repeatable, different for different texts. */
export const vectorFor = (text: string): Float32Array => {
  const bytes = Buffer.from(textHash(text), "hex")
  return Float32Array.from({ length: 4 }, (_, index) => Math.fround(((bytes[index] ?? 0) - 127.5) / 255))
}

/** A document with its chunks as a chunker would make them: a breadcrumb, a blank line, and the body verbatim. */
export const documentEntry = (spec: EntrySpec): DocumentEntry => {
  const source = spec.source ?? "repo"
  const path = spec.path ?? "docs/guide.md"
  const id = documentId(source, path)
  const idOf = makeChunkIds(id)
  let text = ""
  const chunks = spec.chunks.map((given, index): Chunk => {
    const {
      confidence = 1,
      headings = [],
      intent = null,
      page = null,
      text: body
    } = typeof given === "string" ? { text: given } : given
    const breadcrumb = headings.length === 0 ? "" : `${headings.join(" > ")}\n\n`
    const start = text.length
    text += `${body}\n\n`
    return {
      id: idOf(page, breadcrumb + body),
      documentId: id,
      index,
      text: breadcrumb + body,
      bodyOffset: breadcrumb.length,
      start,
      end: start + body.length,
      startLine: index * 2 + 1,
      endLine: index * 2 + 1,
      headingPath: headings,
      page,
      intent,
      confidence
    }
  })
  const document: Document = {
    id,
    source,
    path,
    bundle: spec.bundle === undefined ? bundleOf(path) : spec.bundle,
    mediaType: spec.mediaType ?? "text/markdown",
    title: spec.title ?? "Guide",
    text,
    contentHash: textHash(text),
    metadata: spec.metadata ?? {},
    pages: []
  }
  return {
    document,
    file: { path, size: text.length, modifiedAt: 1_700_000_000_000.25, contentHash: document.contentHash },
    revision: spec.revision ?? null,
    chunks,
    vectors:
      spec.vectors === false
        ? []
        : chunks.map((chunk) => ({ textHash: textHash(chunk.text), vector: vectorFor(chunk.text) })),
    fingerprint: "model"
  }
}

/** A record of an indexing run; what is left out is that of a run under way. */
export const indexRun = (id: string, startedAt: number, change: Partial<IndexRun> = {}): IndexRun => ({
  id,
  status: "running",
  startedAt,
  endedAt: null,
  sources: ["repo"],
  counts: emptyCounts,
  failures: [],
  skipped: [{ source: "repo", path: "x", reason: "too large" }],
  warnings: ["careful"],
  ...change
})
