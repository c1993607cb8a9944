import { attachesBackwards, graphemeBoundary } from "./graphemes.ts"
import { isWhite, skipWhite } from "./whiteSpace.ts"

/** A place to cut: the piece ends at `end`, the rest begins at `next`; only white space is between them. */
export interface Cut {
  readonly end: number
  readonly next: number
}

const stops = new Set([...".!?\u2026"].map((stop) => stop.charCodeAt(0)))
/** Full stops that need no space after them. */
const wideStops = new Set([..."\u3002\uFF01\uFF1F\uFF0E\u0964"].map((stop) => stop.charCodeAt(0)))
const closers = new Set(
  [..."\"')]}*_`\u201D\u2019\u00BB\u300D\u300F\uFF09\u3011"].map((closer) => closer.charCodeAt(0))
)

/** Whether a sentence ends directly before `offset`. */
const endsSentence = (text: string, start: number, offset: number, end: number): boolean => {
  let last = offset - 1
  while (last > start && closers.has(text.charCodeAt(last))) last--
  const code = text.charCodeAt(last)
  if (wideStops.has(code)) return true
  if (!stops.has(code)) return false
  const next = text.charCodeAt(skipWhite(text, offset, end))
  return !(next >= 97 && next <= 122) // "e.g. this" continues
}

/** Where the rest begins after a cut: after white space, except a space that carries a combining mark. */
const nextText = (text: string, offset: number, end: number): number => {
  const next = skipWhite(text, offset, end)
  return next > offset && attachesBackwards(text, next) ? next - 1 : next
}

/**
 * Cuts prose that begins at `start` so that the piece ends at `max` or before it (`start < max < end`): after the last
 * sentence in the second half, or else at its last white space, or else between two graphemes.
 */
export const cutProse = (text: string, start: number, max: number, end: number): Cut => {
  const low = start + ((max - start) >> 1)
  let space = -1
  for (let at = max; at > low; at--) {
    const before = text.charCodeAt(at - 1)
    if (isWhite(before)) continue
    const white = isWhite(text.charCodeAt(at))
    if (!white && !(wideStops.has(before) && !closers.has(text.charCodeAt(at)))) continue
    if (attachesBackwards(text, white ? skipWhite(text, at, end) : at)) continue
    if (endsSentence(text, start, at, end)) return { end: at, next: nextText(text, at, end) }
    if (white && space === -1) space = at
  }
  const at = space === -1 ? graphemeBoundary(text, start, max) : space
  return { end: at, next: nextText(text, at, end) }
}
