import { endianness } from "node:os"

const swapped = endianness() === "BE"

/** Vectors are kept as Float32, little-endian, whatever the machine. */
export const bytesOfVector = (vector: Float32Array): Uint8Array => {
  const view = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  return swapped ? Buffer.from(view).swap32() : view
}

/** A vector of its own memory: SQLite's bytes are neither aligned for certain nor ours to keep. */
export const vectorOfBytes = (bytes: Uint8Array): Float32Array => {
  if (bytes.byteLength % 4 !== 0) throw new Error(`a vector of ${bytes.byteLength} bytes is torn`)
  const vector = new Float32Array(bytes.byteLength / 4)
  const copy = Buffer.from(vector.buffer)
  copy.set(bytes)
  if (swapped) copy.swap32()
  return vector
}

/** The hexadecimal text hash of the domain as the bytes that are stored, and back. */
export const bytesOfHash = (hash: string): Uint8Array => Buffer.from(hash, "hex")
export const hashOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")
