import type { Source } from "@omnirag/core/plugin"
import { Effect } from "effect"
import { stat } from "node:fs/promises"
import { fileIo } from "../walk/fileFault.ts"
import type { Selection } from "../walk/Selection.ts"
import { watchFolder } from "../watch/watchFolder.ts"
import { walkFolder } from "../walk/walkFolder.ts"

/** The source made of one folder on this machine. */
export const folderSource = (folder: {
  readonly name: string
  /** Absolute path. */
  readonly root: string
  readonly selection: Selection
}): Source => ({
  name: folder.name,
  location: folder.root,
  revision: null,
  entries: walkFolder(folder.name, folder.root, folder.selection),
  changes: watchFolder(folder.name, folder.root, folder.selection)
})

/** Why a path is not a folder that can be read; undefined when it is one. */
export const folderFault = (path: string): Effect.Effect<string | undefined> =>
  fileIo(() => stat(path)).pipe(
    Effect.match({
      onFailure: (fault) => (fault.code === "ENOENT" ? "it does not exist" : fault.reason),
      onSuccess: (found) => (found.isDirectory() ? undefined : "it is not a folder")
    })
  )
