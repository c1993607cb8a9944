import { Effect } from "effect"
import { createHash } from "node:crypto"

/** Bytes hashed before other fibers get a turn: a few milliseconds. */
const slice = 4 << 20

/** SHA-256 of the parts, one after the other. */
export const sha256 = Effect.fnUntraced(function* (parts: ReadonlyArray<Uint8Array>) {
  const hash = createHash("sha256")
  for (const part of parts) {
    for (let start = 0; start < part.length; start += slice) {
      if (start > 0) yield* Effect.yieldNow
      hash.update(part.subarray(start, start + slice))
    }
  }
  return hash.digest()
})
