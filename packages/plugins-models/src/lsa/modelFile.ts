import { analysisVersion } from "@omnirag/core/language"
import { createHash } from "node:crypto"
import type { LsaModel } from "./LsaModel.ts"

/**
 * A model as bytes, little-endian: magic (8 bytes), SHA-256 of everything after it (32), format version, dimensions,
 * number of terms, bytes of the terms, version of the analysis of texts (4 each), weights, projection (32-bit floats),
 * the terms in UTF-8 with a line end after each.
 */
const magic = "OMNI-LSA"
/** Raise it when the layout changes: models with another layout are fitted again before they are used. */
const version = 2
const headerBytes = 8 + 32 + 4 * 5

const checksum = (parts: ReadonlyArray<Uint8Array>): Buffer => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The bytes of a model in parts that are written one after the other, so that tens of megabytes are not copied. */
export const encodeModel = ({
  terms,
  dimensions,
  weights,
  projection
}: LsaModel): ReadonlyArray<Uint8Array> => {
  const words = Buffer.from(terms.map((term) => `${term}\n`).join(""), "utf8")
  const header = Buffer.alloc(headerBytes)
  header.write(magic, "latin1")
  ;[version, dimensions, terms.length, words.length, analysisVersion].forEach((value, index) =>
    header.writeUInt32LE(value, 40 + 4 * index)
  )
  const content = [bytesOf(weights), bytesOf(projection), words]
  header.set(checksum([header.subarray(40), ...content]), 8)
  return [header, ...content]
}

/**
 * A model that was read from a file, with a fingerprint of its content; its numbers are in memory that threads share.
 */
export interface StoredModel {
  readonly model: LsaModel
  readonly fingerprint: string
  /**
   * False when it was learned with another version of the analysis: it knows only the terms that both versions make.
   */
  readonly current: boolean
}

/** An undamaged model with another layout, made by another version of this program. */
export interface OutdatedModel {
  readonly outdated: true
}

/** The model in these bytes (it keeps using them), or the reason why there is none. */
export const decodeModel = (
  bytes: Uint8Array<SharedArrayBuffer>
): StoredModel | OutdatedModel | { readonly fault: string } => {
  if (bytes.length < headerBytes) return { fault: `is only ${bytes.length} bytes long` }
  if (Buffer.from(bytes.subarray(0, 8)).toString("latin1") !== magic) return { fault: "is not an LSA model" }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [found, dimensions, count, wordBytes, analysis] = [0, 1, 2, 3, 4].map((index) =>
    view.getUint32(40 + 4 * index, true)
  ) as [number, number, number, number, number]
  const digest = checksum([bytes.subarray(40)])
  const sound = digest.equals(bytes.subarray(8, 40))
  if (found !== version)
    return sound ? { outdated: true } : { fault: `has the format version ${found}, not ${version}` }
  const expected = headerBytes + 4 * (count + count * dimensions) + wordBytes
  if (bytes.length !== expected) return { fault: `is ${bytes.length} bytes long, not ${expected}` }
  if (!sound) return { fault: "does not match its checksum" }
  const words = Buffer.from(bytes.subarray(bytes.length - wordBytes)).toString("utf8")
  const floats = bytes.byteOffset + headerBytes
  const model = {
    terms: words.split("\n").slice(0, -1),
    dimensions,
    weights: new Float32Array(bytes.buffer, floats, count),
    projection: new Float32Array(bytes.buffer, floats + 4 * count, count * dimensions)
  }
  return model.terms.length === count && dimensions > 0
    ? {
        model,
        fingerprint: `lsa:${digest.toString("hex").slice(0, 32)}`,
        current: analysis === analysisVersion
      }
    : { fault: `has ${model.terms.length} terms of ${dimensions} dimensions, not ${count}` }
}
