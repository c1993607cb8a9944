import { decodeUtf16, utf16Layout } from "./utf16.ts"

/** Text with the encoding it was in, or the reason why it is not text. */
export type Decoded =
  | { readonly _tag: "Text"; readonly text: string; readonly encoding: string }
  | { readonly _tag: "Refused"; readonly reason: string }

const refused = (reason: string): Decoded => ({ _tag: "Refused", reason })
const decoded = (text: string, encoding: string): Decoded => ({ _tag: "Text", text, encoding })

const startsWith = (bytes: Uint8Array, ...mark: ReadonlyArray<number>): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/**
 * Control characters that a text file may contain: tab, line ends, form feed, back space and escape (in terminal logs).
 */
const textControls: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b])

const undefined1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** Counts over all bytes: other control characters, bytes above ASCII, and bytes that are undefined in Windows-1252. */
const census = (bytes: Uint8Array) => {
  const counts = new Uint32Array(256)
  // an indexed loop with a table is several times faster than iterating over the bytes and testing each
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    counts[byte] = (counts[byte] ?? 0) + 1
  }
  const sum = (belongs: (byte: number) => boolean) =>
    counts.reduce((total, count, byte) => (belongs(byte) ? total + count : total), 0)
  return {
    controls: sum((byte) => (byte < 0x20 && !textControls.has(byte)) || byte === 0x7f),
    high: sum((byte) => byte >= 0x80),
    undefinedIn1252: sum((byte) => undefined1252.has(byte))
  }
}

const utf8 = (bytes: Uint8Array, fatal: boolean): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** How many characters of a text replace bytes that are not UTF-8, and how many are above ASCII. */
const damage = (text: string) => {
  let replaced = 0
  let sound = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0xfffd) replaced += 1
    else if (unit >= 0x80) sound += 1
  }
  return { replaced, sound }
}

const unknownEncoding =
  "its encoding is not UTF-8, UTF-16 or Windows-1252; convert it to UTF-8 (iconv -f <encoding> -t UTF-8)"

/**
 * Decodes the bytes of a text file; line ends stay, a byte-order mark is removed. In this order: UTF-8 or UTF-16 by
 * their marks; UTF-16 by the pattern of its NUL bytes; UTF-8; UTF-8 with at most 1 % damage, where sound characters
 * above ASCII outnumber the damaged ones; Windows-1252 (which Latin-1 text also is), where at most a fifth of the bytes
 * are above ASCII. Anything else is refused: text in a wrong encoding would be indexed as noise. A file that is not
 * UTF-16 and has even one NUL byte counts as binary, as in git and grep.
 */
export const decodeText = (bytes: Uint8Array): Decoded => {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff))
    return refused("it is UTF-32; convert it to UTF-8")
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return decodeBytes(bytes.subarray(3))
  const layout = utf16Layout(bytes)
  if (layout !== undefined) {
    const text = decodeUtf16(bytes.subarray(layout.marked ? 2 : 0), layout.encoding)
    if (text !== undefined) return decoded(text, layout.encoding)
    if (layout.marked) return refused(`it starts like ${layout.encoding.toUpperCase()}, but the rest is not`)
  }
  return decodeBytes(bytes)
}

const decodeBytes = (bytes: Uint8Array): Decoded => {
  const nul = bytes.indexOf(0)
  if (nul !== -1) return refused(`it is binary (a NUL byte at offset ${nul})`)
  const { controls, high, undefinedIn1252 } = census(bytes)
  if (controls * 100 > bytes.length)
    return refused(`it is binary (${controls} control characters in ${bytes.length} bytes)`)
  const strict = utf8(bytes, true)
  if (strict !== undefined) return decoded(strict, "utf-8")
  const lenient = utf8(bytes, false) ?? ""
  const { replaced, sound } = damage(lenient)
  if (sound > replaced && replaced * 100 <= bytes.length) return decoded(lenient, "utf-8 (damaged)")
  if (controls > 0 || undefinedIn1252 > 0 || high * 5 > bytes.length) return refused(unknownEncoding)
  return decoded(new TextDecoder("windows-1252").decode(bytes), "windows-1252")
}
