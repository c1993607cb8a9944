import { Effect, FileSystem } from "effect"

/** Fills the buffer from the place in the file that was read up to; gives the part that was filled. */
const fill = Effect.fnUntraced(function* <B extends Uint8Array>(file: FileSystem.File, buffer: B) {
  let length = 0
  while (length < buffer.length) {
    const read = yield* file.read(buffer.subarray(length))
    if (read === 0) break
    length += read
  }
  return length
})

/** Reads a file as its first bytes and all that follow; what follows is in memory that threads share. */
export const readShared = Effect.fnUntraced(function* (path: string, headBytes: number) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "r" })
  const { size } = yield* file.stat
  const head = Buffer.alloc(headBytes)
  const body = new Uint8Array(new SharedArrayBuffer(Math.max(0, Number(size) - headBytes)))
  const headLength = yield* fill(file, head)
  const bodyLength = yield* fill(file, body)
  return { head: head.subarray(0, headLength), body: body.subarray(0, bodyLength) }
}, Effect.scoped)
