import { Schema } from "effect"
import { bodyOf, Chunk } from "../domain/Chunk.ts"
import type { Document } from "../domain/Document.ts"
import { frontMatter } from "../language/frontMatter.ts"

/** What a chunker promises about its own chunks. */
export interface ChunkLimits {
  /** The longest `text` of a chunk, in UTF-16 units; Infinity for none. */
  readonly maxLength: number
  /** Whether the ranges of neighbours may overlap. */
  readonly overlapping?: boolean | undefined
}

const isChunk = Schema.is(Chunk)

const lineOf = (text: string, offset: number): number =>
  (text.slice(0, offset).match(/\r\n?|\n/g) ?? []).length + 1

/** Line of an offset; many offsets in order cost one pass. */
const lineCounter = (text: string): ((offset: number) => number) => {
  let line = 1
  let at = 0
  return (offset) => {
    if (offset < at) return lineOf(text, offset)
    for (; at < offset; at++) {
      const code = text.charCodeAt(at)
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line++
    }
    return line
  }
}

/**
 * Everything in which the chunks of a document break the contract of `Chunker`: fields, order, bounds, bodies, lines,
 * pages, ids, limit and coverage (of all that is not white space or front matter). Empty when they keep it.
 */
export const chunkFaults = (
  document: Document,
  chunks: ReadonlyArray<Chunk>,
  limits: ChunkLimits
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const ids = new Set<string>()
  const { text } = document
  const lineAt = lineCounter(text)
  const metadataEnd = frontMatter(text).end
  let covered = (chunks[0]?.start ?? metadataEnd) < metadataEnd ? 0 : metadataEnd
  let start = 0
  chunks.forEach((chunk, index) => {
    const fault = (message: string) =>
      faults.push(`chunk ${index} [${chunk.start}, ${chunk.end}): ${message}`)
    if (!isChunk(chunk)) fault("is not a Chunk")
    if (chunk.documentId !== document.id) fault(`has the document id ${chunk.documentId}`)
    if (chunk.index !== index) fault(`has the index ${chunk.index}`)
    if (ids.has(chunk.id)) fault(`repeats the id ${chunk.id}`)
    ids.add(chunk.id)
    if (chunk.start < 0 || chunk.start >= chunk.end || chunk.end > text.length)
      fault("is empty or out of bounds")
    if (chunk.start < start) fault("is out of order")
    if (!limits.overlapping && chunk.start < covered) fault("overlaps what stands before it")
    if (/\S/.test(text.slice(covered, chunk.start))) fault(`leaves out the text from ${covered}`)
    if (bodyOf(chunk) !== text.slice(chunk.start, chunk.end)) fault("does not hold its range verbatim")
    if (chunk.text.length > limits.maxLength)
      fault(`has ${chunk.text.length} units, limit ${limits.maxLength}`)
    const lines = [lineAt(chunk.start), lineAt(chunk.end - 1)]
    if (chunk.startLine !== lines[0] || chunk.endLine !== lines[1]) {
      fault(`has the lines ${chunk.startLine} to ${chunk.endLine}, not ${lines.join(" to ")}`)
    }
    const page =
      document.pages.find((page) => chunk.start < page.end)?.page ?? document.pages.at(-1)?.page ?? null
    if (chunk.page !== page) fault(`is on page ${chunk.page}, not ${page}`)
    covered = Math.max(covered, chunk.end)
    start = chunk.start
  })
  if (/\S/.test(text.slice(covered))) faults.push(`the text from ${covered} is in no chunk`)
  return faults
}
