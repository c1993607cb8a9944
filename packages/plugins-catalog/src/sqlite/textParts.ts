/** UTF-16 units of one part of a text. */
const partLength = 1 << 20

/** A text in parts, none of them ending within a character; an empty text is one empty part. */
export const textParts = function* (text: string): Generator<string> {
  let start = 0
  do {
    let end = Math.min(text.length, start + partLength)
    const last = text.charCodeAt(end - 1)
    // a pair of surrogates is one character of UTF-8 and must not be cut
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++
    yield text.slice(start, end)
    start = end
  } while (start < text.length)
}
