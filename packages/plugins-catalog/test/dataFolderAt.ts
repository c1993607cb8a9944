import type { DataFolder } from "@omnirag/core/plugin"
import { join } from "node:path"

/** A data folder at this path, with a folder for each index and in it one for each generation. */
export const dataFolderAt = (path: string): DataFolder["Service"] => ({
  path,
  of: ({ id, index }) => join(path, index, id)
})
