import { SourceError, SourceProvider } from "@omnirag/core/plugin"
import { Effect, Layer } from "effect"
import { basename, resolve } from "node:path"
import { compileSelection } from "../walk/Selection.ts"
import { folderFault, folderSource } from "./folderSource.ts"
import type { FolderOptions } from "./FolderOptions.ts"

/** The source `folder` with these options. */
export const folderLayer = (options: FolderOptions) =>
  Layer.sync(SourceProvider, () => {
    const root = resolve(options.path)
    const name = options.name ?? (basename(root) || "root")
    const selection = compileSelection(options)
    const open = Effect.fn("folder.open")(function* () {
      const fault = yield* folderFault(root)
      if (fault !== undefined) {
        return yield* new SourceError({
          source: name,
          message: `the folder ${root} of the source "${name}" cannot be indexed: ${fault}; correct its option path`
        })
      }
      return { sources: [folderSource({ name, root, selection })], missing: [] }
    })
    return SourceProvider.of({ name, open: open() })
  })
