export type Utf16 = "utf-16le" | "utf-16be"

/** Number of bytes in which the pattern of NULs is examined. */
const sampleSize = 65_536

/**
 * Whether bytes are UTF-16, by their mark or by where their NUL bytes are: characters below U+0100 (spaces and line
 * ends in every script) have one at the same side of each pair. When there are few such NULs, they count only in bytes
 * that cannot be UTF-8.
 */
export const utf16Layout = (
  bytes: Uint8Array
): { readonly encoding: Utf16; readonly marked: boolean } | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", marked: true }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", marked: true }
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined
  const sample = bytes.subarray(0, sampleSize)
  let first = 0
  let second = 0
  for (let index = 0; index < sample.length; index += 2) {
    if (sample[index] === 0) first += 1
    if (sample[index + 1] === 0) second += 1
  }
  const pairs = sample.length / 2
  const encoding = second > first ? "utf-16le" : "utf-16be"
  const most = Math.max(first, second)
  const least = Math.min(first, second)
  const many = most * 5 >= pairs && least * 50 <= pairs
  const few = most >= 4 && least === 0 && !isUtf8(bytes)
  return many || few ? { encoding, marked: false } : undefined
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * Decodes UTF-16; undefined when the result is not text: more than 1 % of its units are broken surrogates, NULs, other
 * control characters or non-characters. The broken ones become U+FFFD.
 */
export const decodeUtf16 = (bytes: Uint8Array, encoding: Utf16): string | undefined => {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  let faults = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const control = unit < 0x20 && !(unit >= 0x08 && unit <= 0x0d) && unit !== 0x1b
    if (unit === 0) return undefined
    if (control || unit === 0xfffd || unit === 0xfffe || unit === 0xffff) faults += 1
  }
  return faults * 100 > text.length ? undefined : text
}
