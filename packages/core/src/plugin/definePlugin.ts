import { Effect, Layer, Schema } from "effect"
import { type AppError, type ConfigFault, PluginError } from "../domain/errors.ts"
import type { OfferedTo, PluginKind, ProvidedBy } from "./PluginKinds.ts"
import { schemaFaults } from "./schemaFaults.ts"

/**
 * What an author writes: a name, a schema for the options in the YAML file, and a layer made from them. The kind decides
 * what the layer has to provide and may ask for.
 */
export interface PluginDefinition<K extends PluginKind, Options, E, R> {
  readonly kind: K
  readonly name: string
  /** One sentence for `omnirag doctor` and the query `plugins`. */
  readonly description: string
  readonly options: Schema.Codec<Options, unknown>
  readonly layer: (options: Options) => Layer.Layer<ProvidedBy<K>, E, R>
}

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
  readonly build: (rawOptions: unknown) => Layer.Layer<ProvidedBy<K>, E | PluginError, R>
}

const decodeOptions = { errors: "all", onExcessProperty: "error" } as const

/** Makes a plugin; publish it as a value, list it in a registry or name its module under `plugins:`. */
export const definePlugin = <
  const K extends PluginKind,
  Options,
  E extends AppError = never,
  R extends OfferedTo<K> = never
>(
  definition: PluginDefinition<K, Options, E, R>
): Plugin<K, E, R> => {
  const decode = (raw: unknown) => Schema.decodeUnknownEffect(definition.options)(raw ?? {}, decodeOptions)
  return {
    kind: definition.kind,
    name: definition.name,
    description: definition.description,
    options: definition.options,
    check: (raw) => decode(raw).pipe(Effect.match({ onFailure: schemaFaults, onSuccess: () => [] })),
    build: (raw) =>
      Layer.unwrap(
        decode(raw).pipe(
          Effect.mapError(
            (error) =>
              new PluginError({
                kind: definition.kind,
                name: definition.name,
                message: schemaFaults(error)
                  .map((fault) => `options.${fault.path}: ${fault.message}`)
                  .join("; ")
              })
          ),
          Effect.map(definition.layer)
        )
      )
  }
}
