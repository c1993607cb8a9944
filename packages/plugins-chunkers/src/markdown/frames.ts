import type { BlockToken } from "./parseBlocks.ts"
import { shorten } from "./breadcrumb.ts"

/**
 * The text that makes each part of a divided block complete: `reopen` goes before each later part, `reclose` after each
 * earlier one.
 */
export interface Frame {
  readonly reopen: string
  readonly reclose: string
}

/**
 * A frame that is computed once, for the first cap: a section has one cap, and every part of a block needs the frame.
 */
export const memoized = (make: (cap: number) => Frame): ((cap: number) => Frame) => {
  let known: { readonly cap: number; readonly frame: Frame } | null = null
  return (cap) => {
    if (known?.cap !== cap) known = { cap, frame: make(cap) }
    return known.frame
  }
}

export const noFrame: Frame = { reopen: "", reclose: "" }

const fits = (frame: Frame, cap: number): boolean => frame.reopen.length + frame.reclose.length <= cap

/**
 * The markers of the containers of a block, in the form of their later lines: quote marks stay, list markers become
 * spaces.
 */
const continuation = (prefix: string): string => prefix.replace(/[^>|\s]/g, " ")

/**
 * The frame of a fence: the same characters, indentation and info string. When this is longer than `cap`, the info
 * string is cut to its first word, then left out; a fence line that is still too long is not repeated.
 */
export const fenceFrame = (token: BlockToken, openingLine: string, cap: number): Frame => {
  const { info, markup } = token
  const prefix = continuation(openingLine.slice(0, openingLine.length - info.length - markup.length))
  const reclose = `\n${prefix}${markup}`
  const language = info.trim().split(/\s/, 1)[0] ?? ""
  const candidates = [info, language, ""].map((text) => ({ reopen: `${prefix}${markup}${text}\n`, reclose }))
  return candidates.find((frame) => fits(frame, cap)) ?? noFrame
}

/** Whether a fence has a closing line; without one it runs to the end of its container. */
export const isClosed = (token: BlockToken): boolean => {
  const [first, last] = token.map ?? [0, 0]
  let breaks = 0
  for (let at = token.content.indexOf("\n"); at !== -1; at = token.content.indexOf("\n", at + 1)) breaks++
  return breaks === last - first - 2 && (token.content === "" || token.content.endsWith("\n"))
}

/**
 * The frame of a table: its header and separator lines. When they are longer than `cap`, the cells are shortened; a
 * header with too many columns for this is not repeated.
 */
export const tableFrame = (header: string, cells: ReadonlyArray<string>, cap: number): Frame => {
  const [first = "", ...others] = header.split(/\r\n|\r|\n/)
  const prefix = first.slice(0, Math.max(0, first.indexOf(cells[0] ?? "")))
  const lines = [continuation(prefix) + first.slice(prefix.length), ...others]
  const whole = { reopen: `${lines.join("\n")}\n`, reclose: "" }
  if (fits(whole, cap)) return whole
  const share = Math.floor((cap - 4) / Math.max(1, cells.length)) - 7 // "| " and " " and "|---" of each cell
  if (share < 2) return noFrame
  const row = cells.map((cell) => ` ${shorten(cell, share)} `).join("|")
  return { reopen: `|${row}|\n|${cells.map(() => "---").join("|")}|\n`, reclose: "" }
}
