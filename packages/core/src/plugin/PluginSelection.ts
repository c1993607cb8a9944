import { Effect, Schema } from "effect"

/** Which plugin to use, with its options. */
export const PluginSelection = Schema.Struct({
  use: Schema.NonEmptyString.annotate({ description: "Name of the plugin" }),
  options: Schema.Unknown.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))).annotate({
    description: "Options of the plugin; each plugin has its own"
  })
})
/** A plugin by name, with options that its own schema decodes. */
export type PluginSelection = typeof PluginSelection.Type
