import { checkSelection, type ConfigFault, PluginSelection } from "@omnirag/core/app"
import { Effect, Option, Predicate, Schema } from "effect"
import type { PluginSet } from "./plugins.ts"

const single = [
  "chunker",
  "embedder",
  "vectorStore",
  "catalog",
  "reranker",
  "answers",
  "languageModel"
] as const
const lists = { sources: "source", loaders: "loader" } as const

/**
 * The faults of every plugin selection in a configuration that may have other faults, too, so that all of them can be
 * reported at once. Values that are no selections are left to the schema.
 */
export const pluginFaults =
  (plugins: PluginSet) =>
  (config: unknown): Effect.Effect<ReadonlyArray<ConfigFault>> =>
    Effect.gen(function* () {
      if (!Predicate.isObject(config)) return []
      const entries = [
        ...single.map((kind) => ({ kind, path: kind as string, value: config[kind] })),
        ...Object.entries(lists).flatMap(([key, kind]) => {
          const values: unknown = config[key]
          return Array.isArray(values)
            ? values.map((value: unknown, index) => ({ kind, path: `${key}[${index}]`, value }))
            : []
        })
      ]
      const faults = yield* Effect.forEach(entries, ({ kind, path, value }) =>
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
