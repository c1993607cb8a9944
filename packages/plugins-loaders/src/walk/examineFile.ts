import type { SourceEntry, SourceSkip } from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { Stats } from "node:fs"
import { lstat, realpath, stat } from "node:fs/promises"
import { join } from "node:path"
import { type FileFault, fileIo } from "./fileFault.ts"
import type { FolderItem } from "./listFolder.ts"
import { type Containment, escapes, readContained, tooLarge } from "./readContained.ts"

export const skip = (path: string, reason: string): SourceSkip => ({ _tag: "Skip", path, reason })

/** Reports a file that could not be read; only a file that has disappeared counts as deleted. */
export const skipFault = (path: string, fault: FileFault): SourceSkip =>
  fault.isGone ? skip(path, fault.reason) : { ...skip(path, fault.reason), unreadable: true }

const special: Readonly<Partial<Record<FolderItem["kind"], string>>> = {
  pipe: "it is a named pipe",
  socket: "it is a socket",
  device: "it is a device",
  unnamed: "its name is not valid UTF-8",
  unnamedFolder: "its name is not valid UTF-8"
}

const entryOf = (containment: Containment, path: string, found: Stats): SourceEntry =>
  found.size > containment.maxBytes
    ? skip(path, tooLarge(found.size, containment.maxBytes))
    : {
        _tag: "File",
        path,
        size: found.size,
        // tools that unpack, copy or restore files can set the first of these; no one can set the second
        modifiedAt: Math.floor(Math.max(found.mtimeMs, found.ctimeMs)),
        read: readContained(containment, path)
      }

/** The entry of a name in a folder, when the selection includes it. */
export const examineFile = (
  containment: Containment,
  kind: FolderItem["kind"],
  path: string
): Effect.Effect<SourceEntry | undefined> => {
  const reason = special[kind]
  if (reason !== undefined) return Effect.succeed(skip(path, reason))
  if (kind === "link") return examineLink(containment, path, true)
  return fileIo(() => lstat(join(containment.root, path))).pipe(
    Effect.match({
      onFailure: (fault) => skipFault(path, fault),
      onSuccess: (found) =>
        found.isFile() ? entryOf(containment, path, found) : skip(path, "it was replaced during the walk")
    })
  )
}

const linkTarget = Effect.fnUntraced(function* (containment: Containment, path: string) {
  const real = yield* fileIo(() => realpath(join(containment.root, path)))
  return { real, found: yield* fileIo(() => stat(real)) }
})

/** The entry of a link; undefined for one that is not included and does not lead to a folder. */
export const examineLink = (
  containment: Containment,
  path: string,
  wanted: boolean
): Effect.Effect<SourceEntry | undefined> =>
  linkTarget(containment, path).pipe(
    Effect.match({
      onFailure: (fault) => {
        if (!wanted) return undefined
        return fault.isGone ? skip(path, "it is a link to nothing") : skipFault(path, fault)
      },
      onSuccess: ({ found, real }) => {
        if (found.isDirectory()) return skip(path, "links to folders are not followed")
        if (!wanted) return undefined
        const escape = escapes(containment, real)
        if (escape !== undefined) return skip(path, escape)
        return found.isFile()
          ? entryOf(containment, path, found)
          : skip(path, "it is a link to something that is not a regular file")
      }
    })
  )
