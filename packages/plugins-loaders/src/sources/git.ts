import { definePlugin } from "@omnirag/core/plugin"
import { GitOptions } from "./GitOptions.ts"

/** The source plugin `git`: one revision of a remote repository, fetched with the git client into a cache folder. */
export const git = definePlugin({
  kind: "source",
  name: "git",
  description: "A git repository by its URL, cloned into a cache folder and fetched before each run",
  options: GitOptions,
  load: () => import("./gitLayer.ts").then(({ gitLayer }) => gitLayer)
})
