import type { Chunk, Document } from "@omnirag/core/app"
import { sampleDocument } from "@omnirag/core/testing"
import { Effect, Stream } from "effect"
import { makeMarkdownChunker } from "../src/markdown/makeMarkdownChunker.ts"
import type { MarkdownOptions } from "../src/index.ts"

export const defaults: MarkdownOptions = { maxLength: 2_000, minLength: 10, overlap: 0 }

/** The chunks of a document. */
export const splitDocument = (
  document: Document,
  options: Partial<MarkdownOptions> = {}
): ReadonlyArray<Chunk> =>
  Effect.runSync(Stream.runCollect(makeMarkdownChunker({ ...defaults, ...options }).split(document)))

/** The chunks of a markdown text. */
export const split = (text: string, options: Partial<MarkdownOptions> = {}): ReadonlyArray<Chunk> =>
  splitDocument(sampleDocument(text), options)

/** Path and text of each chunk: what most cases are about. */
export const shown = (
  text: string,
  options: Partial<MarkdownOptions> = {}
): ReadonlyArray<readonly [string, string]> =>
  split(text, options).map((chunk) => [chunk.headingPath.join(" > "), chunk.text])

export const textsOf = (chunks: ReadonlyArray<Chunk>): ReadonlyArray<string> =>
  chunks.map((chunk) => chunk.text)
