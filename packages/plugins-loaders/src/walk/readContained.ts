import { DocumentRefused } from "@omnirag/core/plugin"
import { Effect } from "effect"
import { constants } from "node:fs"
import { type FileHandle, open, realpath, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { fileIo } from "./fileFault.ts"

/** What a file must be to be read. */
export interface Containment {
  /** Real path of the root. */
  readonly root: string
  readonly maxBytes: number
  /** Names of folders that may not be reached, not even by a link. */
  readonly isSkippedName: (name: string) => boolean
}

/** Why the file at a real path may not be read; undefined when it may. */
export const escapes = (containment: Containment, real: string): string | undefined => {
  const below = relative(containment.root, real).split(sep)
  if (below[0] === "..") return "it is a link out of the source"
  const skipped = below.slice(0, -1).find(containment.isSkippedName)
  return skipped === undefined ? undefined : `it is a link into the skipped folder "${skipped}"`
}

const refuse = (path: string, reason: string) => new DocumentRefused({ path, reason })

/**
 * Fills a buffer of the size that the file had when it was opened; a file that grows meanwhile is read up to that size.
 */
const readAll = async (handle: FileHandle, size: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled === size ? bytes : bytes.slice(0, filled)
}

/**
 * Reads the regular file at `path` below the root. The disk may have changed since the walk, so everything is checked
 * on the open file. It is opened without following a link and without waiting for a pipe's writer. It must be a regular
 * file within the size limit, and the file that the path leads to inside the root.
 */
export const readContained = Effect.fn("readContained")(function* (
  containment: Containment,
  path: string
): Effect.fn.Return<Uint8Array, DocumentRefused> {
  const absolute = join(containment.root, path)
  const io = <A>(action: () => Promise<A>) =>
    Effect.mapError(fileIo(action), (fault) => refuse(path, fault.reason))

  const real = yield* io(() => realpath(absolute))
  const escape = escapes(containment, real)
  if (escape !== undefined) return yield* refuse(path, escape)
  return yield* Effect.acquireUseRelease(
    io(() => open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)),
    Effect.fnUntraced(function* (handle) {
      const opened = yield* io(() => handle.stat({ bigint: true }))
      if (!opened.isFile()) return yield* refuse(path, "it is not a regular file")
      if (opened.size > containment.maxBytes)
        return yield* refuse(path, tooLarge(Number(opened.size), containment.maxBytes))
      const bytes = yield* io(() => readAll(handle, Number(opened.size)))
      // a folder in the path may have become a link after the path was resolved
      const now = yield* io(() => realpath(absolute))
      const there = yield* io(() => stat(now, { bigint: true }))
      if (escapes(containment, now) !== undefined || there.ino !== opened.ino || there.dev !== opened.dev)
        return yield* refuse(path, "it was replaced while it was read")
      return bytes
    }),
    (handle) => Effect.promise(() => handle.close())
  )
})

export const tooLarge = (size: number, maxBytes: number): string =>
  `it has ${size} bytes, more than the option maxBytes allows (${maxBytes})`
