import { crc32 } from "node:zlib"
import { corrupt } from "./corrupt.ts"

/** A file with the length and the CRC-32 it must have. */
export interface FileMark {
  readonly file: string
  readonly bytes: number
  readonly crc32: number
}

/**
 * What a collection holds; written last, so it is what makes a save take place. The journal counts up to `bytes`: what
 * follows was never acknowledged and is cut off by the next save.
 */
export interface Manifest {
  readonly format: "omnirag-vectors"
  readonly formatVersion: 1
  readonly collection: string
  readonly dimensions: number
  /** Grows with each rewrite; part of the names of the files. */
  readonly version: number
  /** Null until the first save. */
  readonly base: {
    readonly rows: number
    /** A FAISS flat inner-product index. */
    readonly vectors: FileMark
    /** One line of JSON for each row: id and fields. */
    readonly fields: FileMark
  } | null
  readonly journal: FileMark | null
}

// Checked by hand: the worker thread would wait a seventh of a second for effect/Schema.

/** An object with these keys and no others. */
const hasKeys = <Key extends string>(
  value: unknown,
  ...keys: ReadonlyArray<Key>
): value is Readonly<Record<Key, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === keys.length &&
  keys.every((key) => Object.hasOwn(value, key))

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isFileMark = (value: unknown): value is FileMark =>
  hasKeys(value, "file", "bytes", "crc32") &&
  typeof value.file === "string" &&
  isCount(value.bytes) &&
  isCount(value.crc32)

const isBase = (value: unknown): boolean =>
  hasKeys(value, "rows", "vectors", "fields") &&
  isCount(value.rows) &&
  isFileMark(value.vectors) &&
  isFileMark(value.fields)

const isManifest = (value: unknown): value is Manifest =>
  hasKeys(value, "format", "formatVersion", "collection", "dimensions", "version", "base", "journal") &&
  value.format === "omnirag-vectors" &&
  value.formatVersion === 1 &&
  typeof value.collection === "string" &&
  isCount(value.dimensions) &&
  isCount(value.version) &&
  (value.base === null || isBase(value.base)) &&
  (value.journal === null || isFileMark(value.journal))

const parseEnvelope = (text: string) => {
  try {
    const envelope: unknown = JSON.parse(text)
    return hasKeys(envelope, "crc32", "manifest") ? envelope : undefined
  } catch {
    return undefined
  }
}

export const manifestFile = "manifest.json"

export const emptyManifest = (collection: string, dimensions: number): Manifest => ({
  format: "omnirag-vectors",
  formatVersion: 1,
  collection,
  dimensions,
  version: 0,
  base: null,
  journal: null
})

export const printManifest = (manifest: Manifest): string =>
  `${JSON.stringify({ crc32: crc32(JSON.stringify(manifest)), manifest }, undefined, 2)}\n`

/** Reads a manifest back. Throws `CorruptFile` when the text is torn, changed, foreign or of another format. */
export const parseManifest = (text: string, collection: string): Manifest => {
  const envelope = parseEnvelope(text)
  if (envelope === undefined) throw corrupt(manifestFile, "is torn or no manifest of a vector collection")
  const { manifest } = envelope
  if (crc32(JSON.stringify(manifest)) !== envelope.crc32) throw corrupt(manifestFile, "fails its checksum")
  if (!isManifest(manifest)) throw corrupt(manifestFile, "is of a format this version does not read")
  if (manifest.collection !== collection)
    throw corrupt(manifestFile, `belongs to the collection "${manifest.collection}"`)
  return manifest
}
