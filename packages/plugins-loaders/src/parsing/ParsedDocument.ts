import type { Metadata } from "@omnirag/core/plugin"

/** Where a range of the canonical text stands in the file, as exactly as the format tells. */
export interface SourcePlace {
  /** `[start, end)` in UTF-16 units of the canonical text. */
  readonly start: number
  readonly end: number
  /** Page of a PDF or slide of a presentation, from 1. */
  readonly page?: number
  /** On the page: left, top, right, bottom in points, from the upper left corner. */
  readonly box?: readonly [left: number, top: number, right: number, bottom: number]
  /** Sheet of a workbook, with the cells as in `A2:D2`. */
  readonly sheet?: string
  readonly cells?: string
  /** Cell of a notebook or part of a container (chapter of a book, attachment of a message), as the format names it. */
  readonly part?: string
}

/** A heading with all that stands below it: `[start, end)` in UTF-16 units of the canonical text. */
export interface ParsedSection {
  /** 1 is the outermost. */
  readonly level: number
  readonly title: string
  readonly start: number
  readonly end: number
}

/** A table of the canonical text: `[start, end)` in UTF-16 units. */
export interface ParsedTable {
  readonly start: number
  readonly end: number
  readonly rows: number
  readonly columns: number
}

/** A page or slide: `[start, end)` in UTF-16 units of the canonical text; pages count from 1. */
export interface ParsedPage {
  readonly page: number
  readonly start: number
  readonly end: number
}

/** What a parser makes of the bytes of one file. Plain data: it crosses from a worker thread to the main thread. */
export interface ParsedDocument {
  /**
   * The canonical text: Markdown for headings, lists, tables (GFM) and code, lines ended by `\n`, no markup for emphasis.
   * What it holds is text: nothing in it is HTML, and characters that would start a construct are escaped where needed.
   */
  readonly text: string
  /** The title the file states, or its first heading; null where there is none. */
  readonly title: string | null
  /** `authors`, `created`, `modified` (ISO 8601), `language`, `subject`, `keywords` where the file states them. */
  readonly metadata: Metadata
  readonly pages: ReadonlyArray<ParsedPage>
  readonly sections: ReadonlyArray<ParsedSection>
  readonly tables: ReadonlyArray<ParsedTable>
  /** In the order of `start`, without overlaps; a range without a place is nowhere in particular. */
  readonly places: ReadonlyArray<SourcePlace>
  /** What the reader should know: parts left out, a text that is likely incomplete. */
  readonly warnings: ReadonlyArray<string>
}

/** Bounds that every parser holds itself to. */
export interface ParserLimits {
  /** Bytes of a file after decompression, over all its parts. */
  readonly inflatedBytes: number
  /** Parts of a container. */
  readonly entries: number
  readonly pages: number
  /** Nested elements. */
  readonly depth: number
  /** UTF-16 units of the canonical text. */
  readonly textLength: number
}

export const defaultParserLimits: ParserLimits = {
  inflatedBytes: 512 * 1024 * 1024,
  entries: 20_000,
  pages: 5_000,
  depth: 200,
  textLength: 50_000_000
}

/** Why a file is refused: shown to the user after its name. Thrown by parsers; becomes a `DocumentRefused`. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}

/** Turns bytes into a document; throws `Refusal` with the reason for files that are not readable. */
export type Parser = (bytes: Uint8Array, limits: ParserLimits) => Promise<ParsedDocument> | ParsedDocument
