import { Effect, Layer, Schema } from "effect"
import { type AppError, type ConfigFault, PluginError } from "../domain/errors.ts"
import type { PluginKind } from "../domain/PluginInfo.ts"
import type { OfferedTo, ProvidedBy } from "./PluginKinds.ts"
import { schemaFaults } from "./schemaFaults.ts"

/** What every definition has: the kind, the name, and a schema for the options in the YAML file. */
interface PluginHead<K extends PluginKind, Options> {
  readonly kind: K
  readonly name: string
  /** One sentence for `omnirag doctor` and the query `plugins`. */
  readonly description: string
  readonly options: Schema.Codec<Options, unknown>
}

/** Makes the part out of its options. The kind decides what the layer has to provide and may ask for. */
export type PluginLayer<K extends PluginKind, Options, E = AppError, R = OfferedTo<K>> = (
  options: Options
) => Layer.Layer<ProvidedBy<K>, E, R>

/**
 * What an author writes: a name, a schema for the options, and what makes the part: `layer`, or `load`, which imports it.
 * A definition is imported whether it is used or not; with `load` the modules behind it, a provider's library say, are
 * imported only where the configuration names the plugin: `load: () => import("./store.ts").then((m) => m.storeLayer)`.
 */
export type PluginDefinition<K extends PluginKind, Options, E, R> = PluginHead<K, Options> &
  (
    | { readonly layer: PluginLayer<K, Options, E, R>; readonly load?: never }
    | { readonly load: () => Promise<PluginLayer<K, Options, E, R>>; readonly layer?: never }
  )

/**
 * A plugin with the type of its options hidden, so that plugins with different options share one registry. `Plugin<K>`
 * alone is any plugin of kind `K`.
 */
export interface Plugin<K extends PluginKind = PluginKind, E = AppError, R = OfferedTo<K>> {
  readonly kind: K
  readonly name: string
  readonly description: string
  /** The schema of the options, for the generated configuration reference. */
  readonly options: Schema.Top
  /** Every fault of the options; empty when they are good. */
  readonly check: (rawOptions: unknown) => Effect.Effect<ReadonlyArray<ConfigFault>>
  /** The layer of the part; `PluginError` when the options are wrong, or what it is made of cannot be loaded. */
  readonly build: (rawOptions: unknown) => Layer.Layer<ProvidedBy<K>, E | PluginError, R>
}

const decodeOptions = { errors: "all", onExcessProperty: "error" } as const

/** Makes a plugin. Export it from a module, and list it in a registry or name the module under `plugins:`. */
export const definePlugin = <
  const K extends PluginKind,
  Options,
  E extends AppError = never,
  R extends OfferedTo<K> = never
>(
  definition: PluginDefinition<K, Options, E, R>
): Plugin<K, E, R> => {
  const { kind, name } = definition
  const fault = (message: string, cause?: unknown) =>
    new PluginError({ kind, name, message, ...(cause === undefined ? {} : { cause }) })
  const decode = (raw: unknown) => Schema.decodeUnknownEffect(definition.options)(raw ?? {}, decodeOptions)
  return {
    kind,
    name,
    description: definition.description,
    options: definition.options,
    check: (raw) => decode(raw).pipe(Effect.match({ onFailure: schemaFaults, onSuccess: () => [] })),
    build: (raw) =>
      Layer.unwrap(
        Effect.gen(function* () {
          const options = yield* Effect.mapError(decode(raw), (error) =>
            fault(
              schemaFaults(error)
                .map(({ path, message }) => `options.${path}: ${message}`)
                .join("; ")
            )
          )
          const { layer, load } = definition
          if (load === undefined) return layer(options)
          const loaded = yield* Effect.tryPromise({
            try: load,
            catch: (cause) =>
              fault(`what it is made of cannot be loaded: ${String(cause)}; is it installed?`, cause)
          })
          return loaded(options)
        })
      )
  }
}
