import type { Artifact } from "@omnirag/core/plugin"
import { analysisVersion } from "@omnirag/core/language"
import { createHash } from "node:crypto"
import type { LsaModel } from "./LsaModel.ts"

/**
 * A model as bytes, little-endian: format version, dimensions, number of terms, bytes of the terms, version of the analysis
 * of texts (4 each), weights, projection (32-bit floats), the terms in UTF-8 with a line end after each. The artifact it
 * is kept as has a checksum.
 */
const headerBytes = 4 * 5
/** Raise it when the layout changes: models with another layout are fitted again before they are used. */
const version = 2

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

const wordsOf = (terms: ReadonlyArray<string>): string => terms.map((term) => `${term}\n`).join("")

/**
 * Memory for so many numbers, in which the projection of a model with these terms is computed where it will stand among
 * the bytes: of a large model it takes tens of megabytes, which are not copied.
 */
export const projectionMemory = (
  terms: ReadonlyArray<string>,
  numbers: number
): Float32Array<ArrayBuffer> => {
  const start = headerBytes + 4 * terms.length
  const wordBytes = Buffer.byteLength(wordsOf(terms), "utf8")
  return new Float32Array(new ArrayBuffer(start + 4 * numbers + wordBytes), start, numbers)
}

/** The bytes of a model with its projection in place; copied there when it was computed elsewhere. */
const bytesWith = (projection: Float32Array, start: number, length: number): Buffer => {
  const { buffer, byteOffset } = projection
  if (buffer instanceof ArrayBuffer && byteOffset === start && buffer.byteLength >= length)
    return Buffer.from(buffer, 0, length)
  const bytes = Buffer.from(new ArrayBuffer(length))
  bytes.set(bytesOf(projection), start)
  return bytes
}

/** A model as an artifact with a fingerprint of its bytes. The memory of the projection may become that of the artifact. */
export const encodeModel = ({ terms, dimensions, weights, projection }: LsaModel): Artifact => {
  const words = wordsOf(terms)
  const wordBytes = Buffer.byteLength(words, "utf8")
  const projectionStart = headerBytes + weights.byteLength
  const floatsEnd = projectionStart + projection.byteLength
  const bytes = bytesWith(projection, projectionStart, floatsEnd + wordBytes)
  for (const [index, value] of [version, dimensions, terms.length, wordBytes, analysisVersion].entries())
    bytes.writeUInt32LE(value, 4 * index)
  bytes.set(bytesOf(weights), headerBytes)
  bytes.write(words, floatsEnd, "utf8")
  const digest = createHash("sha256").update(bytes).digest("hex")
  return { bytes, fingerprint: `lsa:${digest.slice(0, 32)}` }
}

/** A model read back; its numbers are in memory that threads share. */
export interface StoredModel {
  readonly model: LsaModel
  /**
   * False when it was learned with another version of the analysis: it knows only the terms that both versions make.
   */
  readonly current: boolean
}

/** A model of another layout, by another version of this program. */
export interface OutdatedModel {
  readonly outdated: true
}

/** The bytes in memory that threads share, at a place numbers can be read from; copied only where they are not. */
const shared = (bytes: Uint8Array): Uint8Array<SharedArrayBuffer> => {
  const { buffer, byteLength, byteOffset } = bytes
  if (buffer instanceof SharedArrayBuffer && byteOffset % 4 === 0)
    return new Uint8Array(buffer, byteOffset, byteLength)
  const copy = new Uint8Array(new SharedArrayBuffer(byteLength))
  copy.set(bytes)
  return copy
}

/** The model in these bytes, which it uses from then on, or the reason why there is none. */
export const decodeModel = (stored: Uint8Array): StoredModel | OutdatedModel | { readonly fault: string } => {
  if (stored.length < headerBytes) return { fault: `is only ${stored.length} bytes long` }
  const bytes = shared(stored)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [found, dimensions, count, wordBytes, analysis] = [0, 1, 2, 3, 4].map((index) =>
    view.getUint32(4 * index, true)
  ) as [number, number, number, number, number]
  if (found !== version) return { outdated: true }
  const expected = headerBytes + 4 * (count + count * dimensions) + wordBytes
  if (bytes.length !== expected) return { fault: `is ${bytes.length} bytes long, not ${expected}` }
  const words = Buffer.from(bytes.subarray(bytes.length - wordBytes)).toString("utf8")
  const floats = bytes.byteOffset + headerBytes
  const model = {
    terms: words.split("\n").slice(0, -1),
    dimensions,
    weights: new Float32Array(bytes.buffer, floats, count),
    projection: new Float32Array(bytes.buffer, floats + 4 * count, count * dimensions)
  }
  return model.terms.length === count && dimensions > 0
    ? { model, current: analysis === analysisVersion }
    : { fault: `has ${model.terms.length} terms of ${dimensions} dimensions, not ${count}` }
}
