import * as NodeServices from "@effect/platform-node/NodeServices"
import { type AppConfig, loadConfig } from "@omnirag/core/app"
import { Effect, Layer } from "effect"
import { appLayer } from "../app.ts"
import { pluginFaults } from "../checkConfig.ts"
import { withExternalPlugins } from "../externalPlugins.ts"
import { builtInPlugins, type PluginSet } from "../plugins.ts"
import { root } from "./root.ts"

export interface LoadedConfig {
  readonly config: AppConfig["Service"]
  readonly plugins: PluginSet
}

/** Reads the file that `--config` names, with the modules it lists. */
export const loadedConfig = Effect.gen(function* () {
  const { config: file } = yield* root
  // the modules are needed to check the rest, so the list of them is read first
  const listed = yield* loadConfig(file, process.env).pipe(
    Effect.map(({ plugins }) => plugins),
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
  const plugins = yield* withExternalPlugins(builtInPlugins, file, listed)
  const config = yield* loadConfig(file, process.env, pluginFaults(plugins))
  return { config, plugins } satisfies LoadedConfig
}).pipe(Effect.provide(NodeServices.layer))

/** Runs a command with all use cases of the configured system. */
export const withApp = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(loadedConfig, ({ config, plugins }) =>
    Effect.provide(effect, appLayer(config, plugins).pipe(Layer.provide(NodeServices.layer)))
  )
