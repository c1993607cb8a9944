import { type AppConfig, type PluginInfo, pluginKinds } from "@omnirag/core/app"
import { selectionsOf } from "./kinds.ts"
import type { PluginSet } from "./PluginSet.ts"

/** Every plugin with whether the configuration uses it. */
export const pluginInfos = (config: AppConfig["Service"], plugins: PluginSet): ReadonlyArray<PluginInfo> =>
  pluginKinds.flatMap((kind) => {
    const used = selectionsOf(config, kind).map(({ use }) => use)
    return plugins[kind].map(({ name, description }) => ({
      kind,
      name,
      description,
      active: used.includes(name)
    }))
  })
