import { Context, Effect, Layer, type Scope } from "effect"
import type { PluginSelection } from "./PluginSelection.ts"
import { type ConfigFault, PluginError } from "../domain/errors.ts"
import type { Plugin } from "./definePlugin.ts"
import type { PluginKind } from "../domain/PluginInfo.ts"
import type { ProvidedBy } from "./PluginKinds.ts"

const find = <P extends { readonly name: string }>(
  kind: PluginKind,
  plugins: ReadonlyArray<P>,
  name: string
): Effect.Effect<P, PluginError> => {
  const found = plugins.find((plugin) => plugin.name === name)
  return found !== undefined
    ? Effect.succeed(found)
    : Effect.fail(
        new PluginError({
          kind,
          name,
          message: `there is no ${kind} plugin "${name}"; known: ${plugins.map((plugin) => plugin.name).join(", ")}`
        })
      )
}

/** The layer of the plugin that the configuration names. */
export const selectPlugin = <K extends PluginKind, E, R>(
  kind: K,
  plugins: ReadonlyArray<Plugin<K, E, R>>,
  selection: PluginSelection
): Layer.Layer<ProvidedBy<K>, E | PluginError, R> =>
  Layer.unwrap(Effect.map(find(kind, plugins, selection.use), (plugin) => plugin.build(selection.options)))

/** Builds several plugins of one kind (sources, loaders) and gives their services in the order of the selections. */
export const selectPlugins = <K extends PluginKind, I extends ProvidedBy<K>, S, E, R>(
  kind: K,
  service: Context.Key<I, S>,
  plugins: ReadonlyArray<Plugin<K, E, R>>,
  selections: ReadonlyArray<PluginSelection>
): Effect.Effect<ReadonlyArray<S>, E | PluginError, R | Scope.Scope> =>
  Effect.forEach(selections, (selection) =>
    Effect.map(Layer.build(selectPlugin(kind, plugins, selection)), (context) =>
      Context.get(context, service)
    )
  )

/** Every fault of a selection: an unknown name, or the faults of the options with their paths below `path`. */
export const checkSelection = (
  kind: PluginKind,
  plugins: ReadonlyArray<Pick<Plugin, "name" | "check">>,
  selection: PluginSelection,
  path: string
): Effect.Effect<ReadonlyArray<ConfigFault>> =>
  find(kind, plugins, selection.use).pipe(
    Effect.flatMap((plugin) => plugin.check(selection.options)),
    Effect.map((faults) =>
      faults.map((fault) => ({ path: `${path}.options.${fault.path}`, message: fault.message }))
    ),
    Effect.catchTag("PluginError", (error) =>
      Effect.succeed([{ path: `${path}.use`, message: error.message }])
    )
  )
