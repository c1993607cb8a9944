const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/**
 * The last boundary between graphemes in `(start, offset]`, where `start` is a boundary. A grapheme longer than this
 * range (hundreds of combining marks) is cut between code points.
 */
export const graphemeBoundary = (text: string, start: number, offset: number): number => {
  if (offset >= text.length) return text.length
  // a boundary depends on the text before it and on the one code point after it
  const segment = segmenter.segment(text.slice(start, offset + 4)).containing(offset - start)
  if (segment !== undefined && segment.index > 0) return start + segment.index
  const tornPair = isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset))
  return tornPair && offset - 1 > start ? offset - 1 : offset
}

/**
 * Whether the character at an offset belongs to the character before it (combining mark, joiner, variation selector).
 */
export const attachesBackwards = (text: string, offset: number): boolean => {
  const code = text.charCodeAt(offset)
  return code >= 0x300 && /^[\p{M}\u200D\p{Emoji_Modifier}]/u.test(text.slice(offset, offset + 2))
}
