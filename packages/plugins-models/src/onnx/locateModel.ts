import { Effect } from "effect"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { downloadHubModel, isHubName } from "./hubModel.ts"
import type { Pooling } from "./modelFamilies.ts"
import { folderContents, type ModelFolder, ModelFolderError, readModelFolder } from "./ModelFolder.ts"
import { weightFiles } from "./weightFiles.ts"

export interface ModelSelection {
  readonly model: string
  readonly cache: string
  readonly offline: boolean
  readonly hub: string
  readonly revision: string
  readonly file: string | null
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/**
 * The folder of the configured model: the one named by the options, or the folder of a hub model in the cache. It may
 * not exist.
 */
const folderOf = (options: ModelSelection): string =>
  isFolder(options.model)
    ? options.model
    : join(options.cache, options.model, ...(options.revision === "main" ? [] : [options.revision]))

/** True when the model must be downloaded from the hub, and this is allowed. */
export const isToBeFetched = (options: ModelSelection): boolean =>
  !options.offline && isHubName(options.model) && !isFolder(folderOf(options))

/** Finds the configured model: a folder, or a hub model in the cache, or, unless offline, on the hub. */
export const locateModel = Effect.fn("locateModel")(function* (
  options: ModelSelection,
  pooling: Pooling | null
): Effect.fn.Return<ModelFolder, ModelFolderError> {
  if (isFolder(options.model)) return yield* readModelFolder(options.model, options.file, pooling)
  if (!isHubName(options.model)) {
    return yield* new ModelFolderError({
      message: `there is no folder ${options.model}. The option model must name a folder that holds ${folderContents}; or a hub model such as Xenova/all-MiniLM-L6-v2`
    })
  }
  const cached = folderOf(options)
  if (!isFolder(cached)) {
    if (options.offline) {
      return yield* new ModelFolderError({
        message: `there is no folder ${options.model}, nor is the hub model of that name in ${cached}, and offline is on. Put ${folderContents} there, or set offline: false to fetch it from ${options.hub}`
      })
    }
    const { model: name, revision, hub } = options
    yield* downloadHubModel({ name, revision, hub, file: options.file ?? weightFiles[0] }, cached)
  }
  return yield* readModelFolder(cached, options.file, pooling)
})
