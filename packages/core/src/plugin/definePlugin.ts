import { Effect, Layer, Schema } from "effect"
import { type ConfigFault, PluginError } from "../domain/errors.ts"
import { schemaFaults } from "./schemaFaults.ts"

/** The parts of the system that a plugin can provide. */
export const pluginKinds = [
  "source",
  "loader",
  "chunker",
  "embedder",
  "vectorStore",
  "catalog",
  "reranker",
  "answers",
  "languageModel"
] as const
export type PluginKind = (typeof pluginKinds)[number]

/** What an author writes: a name, a schema for the options in the YAML file, and a layer made from them. */
export interface PluginDefinition<Options, Provides, E, R> {
  readonly kind: PluginKind
  readonly name: string
  /** One sentence for `omnirag doctor` and the query `plugins`. */
  readonly description: string
  readonly options: Schema.Codec<Options, unknown>
  readonly layer: (options: Options) => Layer.Layer<Provides, E, R>
}

/** A plugin with the type of its options hidden, so that plugins with different options share one registry. */
export interface Plugin<Provides, E = never, R = never> {
  readonly kind: PluginKind
  readonly name: string
  readonly description: string
  /** The schema of the options, for the generated configuration reference. */
  readonly options: Schema.Top
  /** Every fault of the options; empty when they are good. */
  readonly check: (rawOptions: unknown) => Effect.Effect<ReadonlyArray<ConfigFault>>
  readonly build: (rawOptions: unknown) => Layer.Layer<Provides, E | PluginError, R>
}

const decodeOptions = { errors: "all", onExcessProperty: "error" } as const

/** Makes a plugin. Export it from a module, and list it in a registry or name the module under `plugins:`. */
export const definePlugin = <Options, Provides, E = never, R = never>(
  definition: PluginDefinition<Options, Provides, E, R>
): Plugin<Provides, E, R> => {
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
