/** The offsets at which the lines of a text begin; CRLF, LF and a lone CR end a line, as in CommonMark. */
export type LineStarts = ReadonlyArray<number>

export const lineStarts = (text: string): LineStarts => {
  const starts = [0]
  if (text.indexOf("\r") === -1) {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
    return starts
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}

/** The line (from 0) that contains an offset: the last one that begins at or before it. */
export const lineAt = (starts: LineStarts, offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? Infinity) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The offset at which a line begins; the length of the text for a line beyond the last. */
export const lineStart = (starts: LineStarts, text: string, line: number): number =>
  starts[line] ?? text.length
