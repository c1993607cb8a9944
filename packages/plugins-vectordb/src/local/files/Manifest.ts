import { crc32 } from "node:zlib"
import { Option, Schema } from "effect"
import { corrupt } from "./corrupt.ts"

const FileMark = Schema.Struct({ file: Schema.String, bytes: Schema.Int, crc32: Schema.Int })

/** A file with the length and the CRC-32 it must have. */
export type FileMark = typeof FileMark.Type

/**
 * What a collection holds; written last, so it is what makes a save take place. The journal counts up to `bytes`: what
 * follows was never acknowledged and is cut off by the next save.
 */
const Manifest = Schema.Struct({
  format: Schema.Literal("omnirag-vectors"),
  formatVersion: Schema.Literal(1),
  collection: Schema.String,
  dimensions: Schema.Int,
  /** Grows with each rewrite; part of the names of the files. */
  version: Schema.Int,
  /** Null until the first save. */
  base: Schema.NullOr(
    Schema.Struct({
      rows: Schema.Int,
      /** A FAISS flat inner-product index. */
      vectors: FileMark,
      /** One line of JSON for each row: id and fields. */
      fields: FileMark
    })
  ),
  journal: Schema.NullOr(FileMark)
})
export type Manifest = typeof Manifest.Type

const Envelope = Schema.Struct({ crc32: Schema.Int, manifest: Schema.Unknown })
const options = { onExcessProperty: "error" } as const
const decodeEnvelope = Schema.decodeUnknownOption(Schema.fromJsonString(Envelope), options)
const decodeManifest = Schema.decodeUnknownOption(Manifest, options)

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

/** Reads a manifest back. Throws `IndexCorrupt` when the text is torn, changed, foreign or of another format. */
export const parseManifest = (text: string, collection: string): Manifest => {
  const envelope = decodeEnvelope(text)
  if (Option.isNone(envelope)) throw corrupt(manifestFile, "is torn or no manifest of a vector collection")
  if (crc32(JSON.stringify(envelope.value.manifest)) !== envelope.value.crc32)
    throw corrupt(manifestFile, "fails its checksum")
  const manifest = decodeManifest(envelope.value.manifest)
  if (Option.isNone(manifest)) throw corrupt(manifestFile, "is of a format this version does not read")
  if (manifest.value.collection !== collection)
    throw corrupt(manifestFile, `belongs to the collection "${manifest.value.collection}"`)
  return manifest.value
}
