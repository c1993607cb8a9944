/** Whether a UTF-16 unit is white space (the set of `\s`). */
export const isWhite = (code: number): boolean =>
  code === 32 ||
  (code >= 9 && code <= 13) ||
  (code >= 160 &&
    (code === 160 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000 ||
      code === 0xfeff))

/** The end of `text.slice(start, end)` without its trailing white space. */
export const trimEnd = (text: string, start: number, end: number): number => {
  let trimmed = end
  while (trimmed > start && isWhite(text.charCodeAt(trimmed - 1))) trimmed--
  return trimmed
}

/** The offset of the first character at or after `start` that is not white space, at most `end`. */
export const skipWhite = (text: string, start: number, end: number): number => {
  let position = start
  while (position < end && isWhite(text.charCodeAt(position))) position++
  return position
}
