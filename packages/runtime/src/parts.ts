import {
  type AppConfig,
  Chunkers,
  DocumentLoaders,
  Embedders,
  EmbedderProvider,
  noReranker,
  type PluginSelection,
  type PluginServices,
  selectPlugin,
  selectPlugins,
  Sources
} from "@omnirag/core/app"
import { Context, Effect, Layer } from "effect"
import { kinds } from "./kinds.ts"
import type { PluginSet } from "./PluginSet.ts"

type Config = AppConfig["Service"]

/** The configured loaders, asked in their order. */
export const loadersLayer = (config: Config, plugins: PluginSet) =>
  Layer.unwrap(
    Effect.map(
      selectPlugins("loader", kinds.loader.services[0], plugins.loader, config.loaders),
      DocumentLoaders.layer
    )
  )

/** The configured sources. */
export const sourcesLayer = (config: Config, plugins: PluginSet) =>
  Layer.unwrap(
    Effect.map(
      selectPlugins("source", kinds.source.services[0], plugins.source, config.sources),
      Sources.layer
    )
  )

/** The chunkers of the registry with their default options; one that needs options is left out of previews. */
export const chunkersLayer = (plugins: PluginSet) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const usable = yield* Effect.filter(plugins.chunker, (plugin) =>
        Effect.map(plugin.check({}), (faults) => faults.length === 0)
      )
      const selections = usable.map((plugin): PluginSelection => ({ use: plugin.name, options: {} }))
      return Chunkers.layer(
        yield* selectPlugins("chunker", kinds.chunker.services[0], plugins.chunker, selections)
      )
    })
  )

/** Opens the embedder of any selection, since an index may hold vectors of another one than the configured. */
export const embeddersLayer = (config: Config, plugins: PluginSet) =>
  Layer.effect(
    Embedders,
    Effect.gen(function* () {
      const services = yield* Effect.context<PluginServices>()
      return Embedders.of({
        configured: config.embedder,
        provider: (selection) =>
          Layer.build(selectPlugin("embedder", plugins.embedder, selection)).pipe(
            Effect.map(Context.get(EmbedderProvider)),
            Effect.provideContext(services)
          )
      })
    })
  )

/** The configured language model; without one, a model that refuses and says so. */
export const languageModelLayer = (config: Config, plugins: PluginSet) =>
  config.languageModel === null
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("@omnirag/core/llm")),
          ({ unavailableLanguageModel }) => unavailableLanguageModel
        )
      )
    : selectPlugin("languageModel", plugins.languageModel, config.languageModel)

/** The configured reranker; without one, a reranker that refuses and says so. */
export const rerankerLayer = (config: Config, plugins: PluginSet) =>
  config.reranker === null ? noReranker : selectPlugin("reranker", plugins.reranker, config.reranker)
