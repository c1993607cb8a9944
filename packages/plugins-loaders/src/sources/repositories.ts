import { definePlugin } from "@omnirag/core/plugin"
import { RepositoriesOptions } from "./RepositoriesOptions.ts"

/** The source plugin `repositories`: named folders below one base; missing ones are warnings. */
export const repositories = definePlugin({
  kind: "source",
  name: "repositories",
  description: "Named repositories that lie side by side in one folder on this machine",
  options: RepositoriesOptions,
  load: () => import("./repositoriesLayer.ts").then(({ repositoriesLayer }) => repositoriesLayer)
})
