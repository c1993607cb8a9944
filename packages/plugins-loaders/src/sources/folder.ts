import { definePlugin } from "@omnirag/core/plugin"
import { FolderOptions } from "./FolderOptions.ts"

/** The source plugin `folder`: one folder on this machine. */
export const folder = definePlugin({
  kind: "source",
  name: "folder",
  description: "One folder on this machine",
  options: FolderOptions,
  load: () => import("./folderLayer.ts").then(({ folderLayer }) => folderLayer)
})
