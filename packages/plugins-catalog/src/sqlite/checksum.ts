import { crc32 } from "node:zlib"

/** A value of a row as it is checked. */
export type CheckedValue = string | number | null

/**
 * The checksum of a row: CRC-32 over its values. SQLite has no checksums of its own, so a flipped bit or a lost page
 * inside a value passes its check. Values before they are written and values read back give the same sum.
 */
export const checksumOf = (values: ReadonlyArray<CheckedValue>): number =>
  // a lone surrogate becomes the same replacement character here and in the file
  crc32(values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\0"))

/** The checksum of a value of bytes alone. */
export const checksumOfBytes = (bytes: Uint8Array): number => crc32(bytes)
