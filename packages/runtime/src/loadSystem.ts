import type { AppConfig } from "@omnirag/core/app"
import { Effect } from "effect"
import { builtInPlugins } from "./builtInPlugins.ts"
import { withExternalPlugins } from "./externalPlugins.ts"
import type { Environment } from "./interpolate.ts"
import { loadConfig } from "./loadConfig.ts"
import { pluginFaults } from "./pluginFaults.ts"
import type { PluginSet } from "./PluginSet.ts"

/** A configuration with the plugins that it may name. */
export interface LoadedSystem {
  readonly config: AppConfig["Service"]
  readonly plugins: PluginSet
}

/**
 * Reads and checks a configuration file, with the plugins of the modules it lists. Fails with a `ConfigError` that holds
 * every fault.
 */
export const loadSystem = Effect.fn("loadSystem")(function* (file: string, environment: Environment) {
  // the modules are needed to check the rest, so the list of them is read first
  const listed = yield* loadConfig(file, environment).pipe(
    Effect.map(({ plugins }) => plugins),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  const plugins = yield* withExternalPlugins(builtInPlugins, file, listed)
  const config = yield* loadConfig(file, environment, pluginFaults(plugins))
  return { config, plugins } satisfies LoadedSystem
})
