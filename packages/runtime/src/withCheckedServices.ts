import { type Plugin, PluginError, type PluginKind } from "@omnirag/core/app"
import { Context, Effect, Layer, Option } from "effect"
import { kinds } from "./kinds.ts"

/** The plugin, failing where its layer does not provide every service of its kind: for plugins no compiler has seen. */
export const withCheckedServices = <K extends PluginKind>(plugin: Plugin<K>): Plugin<K> => ({
  ...plugin,
  build: (options) =>
    Layer.effectContext(
      Effect.flatMap(Layer.build(plugin.build(options)), (built) => {
        const { kind, name } = plugin
        const services: ReadonlyArray<Context.Key<unknown, unknown>> = kinds[kind].services
        const missing = services.filter((service) => Option.isNone(Context.getOption(built, service)))
        return missing.length === 0
          ? Effect.succeed(built)
          : Effect.fail(
              new PluginError({
                kind,
                name,
                message: `its layer does not provide ${missing.map(({ key }) => key).join(" and ")}, which a ${kind} plugin is for; correct the plugin`
              })
            )
      })
    )
})
