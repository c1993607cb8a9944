import { checkSelection, type ConfigFault, pluginKinds, PluginSelection } from "@omnirag/core/app"
import { Effect, Option, Predicate, Schema } from "effect"
import { kinds } from "./kinds.ts"
import type { PluginSet } from "./PluginSet.ts"

/** What may be a selection in a configuration that is not decoded yet, with its kind and its path. */
const entriesOf = (config: Readonly<Record<PropertyKey, unknown>>) =>
  pluginKinds.flatMap((kind) => {
    const { count, key } = kinds[kind]
    const value = config[key]
    if (count !== "list") return [{ kind, path: key as string, value }]
    return Array.isArray(value)
      ? value.map((item: unknown, index) => ({ kind, path: `${key}[${index}]`, value: item }))
      : []
  })

/**
 * The faults of every plugin selection in a configuration that may have other faults, too, so that all of them can be
 * reported at once. Values that are no selections are left to the schema.
 */
export const pluginFaults =
  (plugins: PluginSet) =>
  (config: unknown): Effect.Effect<ReadonlyArray<ConfigFault>> =>
    Effect.gen(function* () {
      if (!Predicate.isObject(config)) return []
      const faults = yield* Effect.forEach(entriesOf(config), ({ kind, path, value }) =>
        Option.match(Schema.decodeUnknownOption(PluginSelection)(value), {
          onNone: () => Effect.succeed([]),
          onSome: (selection) => checkSelection(kind, plugins[kind], selection, path)
        })
      )
      const needModel = (["answers", "reranker"] as const).filter((kind) => {
        const selection = config[kind]
        return Predicate.isObject(selection) && selection["use"] === "llm"
      })
      if (needModel.length === 0 || Predicate.isObject(config["languageModel"])) return faults.flat()
      const users = needModel.map((kind) => `\`${kind}: {use: llm}\``).join(" and ")
      return [
        ...faults.flat(),
        { path: "languageModel", message: `is needed by ${users}; name one, for example ollama` }
      ]
    })
