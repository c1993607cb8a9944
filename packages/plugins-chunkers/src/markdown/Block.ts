import { type Frame, noFrame } from "./frames.ts"

/**
 * A unit of a document. Blocks of one level cover the text that contains them: apart from white space, each ends where
 * the next begins. Offsets are UTF-16 units of the whole text.
 */
export interface Block {
  /**
   * - `heading`, `prose`: divided between sentences, words or graphemes
   * - `lines`: code, fences, HTML; divided between lines
   * - `rows`: a table; divided between lines
   * - `container`: a list, an item or a quote; divided between its children
   */
  readonly kind: "heading" | "prose" | "lines" | "rows" | "container"
  /** The start of its first line, white space and markers of containers included. */
  readonly start: number
  /** After its last character that is not white space. */
  readonly end: number
  /** The text before a piece that begins with this block; empty except for the rest of a divided block. */
  readonly lead: string
  /** Whether it ends with a fence that is not closed: a piece that ends with it adds the frame's closing line. */
  readonly unterminated: boolean
  /** Where its content begins: after the opening line of a fence, after the separator of a table. */
  readonly content: number
  /** A cut between lines is not made before this offset: a line of content stays with the opening line or header. */
  readonly firstCut: number
  /** The frame of its parts when it is divided; it takes at most `cap` units. */
  readonly frame: (cap: number) => Frame
  readonly children: () => ReadonlyArray<Block>
  /** Whether each part of it can be read alone: nothing in it has to be opened and closed. */
  readonly isPlain: () => boolean
}

const childless = () => []
const frameless = () => noFrame

/** A block that needs no frame and has no children. */
export const leaf = (kind: Block["kind"], start: number, end: number): Block => ({
  kind,
  start,
  end,
  lead: "",
  unterminated: false,
  content: start,
  firstCut: start + 1,
  frame: frameless,
  children: childless,
  isPlain: () => kind === "prose"
})
