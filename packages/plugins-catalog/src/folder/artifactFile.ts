import type { Artifact } from "@omnirag/core/plugin"
import { Effect } from "effect"
import { sha256 } from "./sha256.ts"

/**
 * An artifact as a file, little-endian: magic (8 bytes), SHA-256 of all that follows it (32), version of the layout (4),
 * bytes of the fingerprint (4), bytes of the content (8); then the content, and the fingerprint in UTF-8.
 */
const magic = "OMNI-ART"
const version = 1
const checksumEnd = 40
export const headBytes = checksumEnd + 4 + 4 + 8

/** The file of an artifact in parts, to be written one after the other: the content is not copied. */
export const encodeArtifact = Effect.fnUntraced(function* ({ bytes, fingerprint }: Artifact) {
  const print = Buffer.from(fingerprint, "utf8")
  const head = Buffer.alloc(headBytes)
  head.write(magic, "latin1")
  head.writeUInt32LE(version, checksumEnd)
  head.writeUInt32LE(print.length, checksumEnd + 4)
  head.writeBigUInt64LE(BigInt(bytes.length), checksumEnd + 8)
  head.set(yield* sha256([head.subarray(checksumEnd), bytes, print]), magic.length)
  return [head, bytes, print] as const
})

/** The artifact in a file that was read as its head and all that follows, or why there is none. */
export const decodeArtifact = Effect.fnUntraced(function* (
  head: Buffer,
  body: Uint8Array
): Effect.fn.Return<Artifact | { readonly fault: string }> {
  if (head.length < headBytes) return { fault: `is only ${head.length} bytes long` }
  if (head.toString("latin1", 0, magic.length) !== magic) return { fault: "is no artifact" }
  const found = head.readUInt32LE(checksumEnd)
  if (found !== version) return { fault: `has the layout ${found}, and this program knows ${version}` }
  const printLength = head.readUInt32LE(checksumEnd + 4)
  const length = Number(head.readBigUInt64LE(checksumEnd + 8))
  if (body.length !== length + printLength)
    return { fault: `is ${headBytes + body.length} bytes long, not ${headBytes + length + printLength}` }
  const checksum = yield* sha256([head.subarray(checksumEnd), body])
  if (!checksum.equals(head.subarray(magic.length, checksumEnd)))
    return { fault: "does not match its checksum" }
  return { bytes: body.subarray(0, length), fingerprint: Buffer.from(body.subarray(length)).toString("utf8") }
})
