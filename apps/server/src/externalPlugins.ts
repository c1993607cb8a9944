import { ConfigError, type Plugin, type PluginKind, pluginKinds } from "@omnirag/core/app"
import { Effect, Predicate } from "effect"
import { pathToFileURL } from "node:url"
import { resolve } from "node:path"
import type { PluginSet } from "./plugins.ts"

const isPlugin = (value: unknown): value is Plugin<unknown, never, never> & { readonly kind: PluginKind } =>
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
  const all = new Map<PluginKind, Array<Plugin<unknown, never, never>>>()
  for (const kind of pluginKinds) all.set(kind, [])
  for (const [index, plugins] of loaded.entries()) {
    for (const plugin of plugins) {
      const others = [...builtIn[plugin.kind], ...(all.get(plugin.kind) ?? [])]
      if (others.some((other) => other.name === plugin.name)) {
        const message = `there is already a ${plugin.kind} plugin called "${plugin.name}"`
        return yield* new ConfigError({ file, faults: [{ path: `plugins[${index}]`, message }] })
      }
      all.get(plugin.kind)?.push(plugin)
    }
  }
  // a module is outside of the type system: what its plugins provide is taken on the word of their kind
  const more = Object.fromEntries(all) as unknown as PluginSet
  return {
    source: [...builtIn.source, ...more.source],
    loader: [...builtIn.loader, ...more.loader],
    chunker: [...builtIn.chunker, ...more.chunker],
    embedder: [...builtIn.embedder, ...more.embedder],
    vectorStore: [...builtIn.vectorStore, ...more.vectorStore],
    catalog: [...builtIn.catalog, ...more.catalog],
    reranker: [...builtIn.reranker, ...more.reranker],
    answers: [...builtIn.answers, ...more.answers],
    languageModel: [...builtIn.languageModel, ...more.languageModel]
  } satisfies PluginSet
})
