import { ConfigError, type Plugin, type PluginKind, pluginKinds } from "@omnirag/core/app"
import { Effect, Predicate } from "effect"
import { pathToFileURL } from "node:url"
import { resolve } from "node:path"
import type { PluginSet } from "./PluginSet.ts"
import { withCheckedServices } from "./withCheckedServices.ts"

const isPlugin = (value: unknown): value is Plugin =>
  Predicate.isObject(value) &&
  pluginKinds.some((kind) => kind === value["kind"]) &&
  typeof value["name"] === "string" &&
  typeof value["build"] === "function"

/** A path is taken relative to the working directory; anything else is a package name. */
const toSpecifier = (specifier: string): string =>
  specifier.startsWith(".") || specifier.startsWith("/") ? pathToFileURL(resolve(specifier)).href : specifier

const importPlugins = Effect.fnUntraced(function* (file: string, specifier: string, index: number) {
  const path = `plugins[${index}]`
  const module: unknown = yield* Effect.tryPromise({
    try: () => import(toSpecifier(specifier)),
    catch: (cause) =>
      new ConfigError({ file, faults: [{ path, message: `cannot be loaded: ${String(cause)}` }] })
  })
  const plugins = Predicate.isObject(module)
    ? Object.values(module).flatMap((value): ReadonlyArray<unknown> =>
        Array.isArray(value) ? value : [value]
      )
    : []
  const found = plugins.filter(isPlugin)
  if (found.length === 0) {
    return yield* new ConfigError({
      file,
      faults: [{ path, message: `"${specifier}" exports nothing made with definePlugin` }]
    })
  }
  return found
})

const isOfKind =
  <K extends PluginKind>(kind: K) =>
  (plugin: Plugin): plugin is Plugin & Plugin<K> =>
    plugin.kind === kind

/**
 * The built-in plugins and those of the modules that the configuration lists: every export made with `definePlugin`,
 * alone or in an array. A plugin may not take the name of another of its kind.
 */
export const withExternalPlugins = Effect.fn("withExternalPlugins")(function* (
  builtIn: PluginSet,
  file: string,
  specifiers: ReadonlyArray<string>
) {
  const loaded = yield* Effect.forEach(specifiers, (specifier, index) =>
    importPlugins(file, specifier, index)
  )
  const more: Array<Plugin> = []
  for (const [index, plugins] of loaded.entries()) {
    for (const plugin of plugins) {
      const others = [...builtIn[plugin.kind], ...more.filter(isOfKind(plugin.kind))]
      if (others.some((other) => other.name === plugin.name)) {
        const message = `there is already a ${plugin.kind} plugin called "${plugin.name}"`
        return yield* new ConfigError({ file, faults: [{ path: `plugins[${index}]`, message }] })
      }
      more.push(plugin)
    }
  }
  // a module is outside of the type system, so what its layer provides is looked at when it is built
  const all = <K extends PluginKind>(kind: K): ReadonlyArray<Plugin<K>> => [
    ...builtIn[kind],
    ...more.filter(isOfKind(kind)).map((plugin) => withCheckedServices<K>(plugin))
  ]
  return {
    source: all("source"),
    loader: all("loader"),
    chunker: all("chunker"),
    embedder: all("embedder"),
    vectorStore: all("vectorStore"),
    catalog: all("catalog"),
    reranker: all("reranker"),
    answers: all("answers"),
    languageModel: all("languageModel")
  } satisfies PluginSet
})
