import {
  Answering,
  type AppConfig,
  AppConfig as AppConfigService,
  Chunker,
  Chunkers,
  ChunkPreview,
  DocumentLoader,
  DocumentLoaders,
  Documents,
  Embedders,
  EmbedderProvider,
  Evidence,
  FloorCalibration,
  Generations,
  HealthChecks,
  Indexer,
  IndexVerifier,
  noReranker,
  type PluginInfo,
  type PluginKind,
  pluginKinds,
  type PluginSelection,
  RetrievalEvaluation,
  Retriever,
  selectPlugin,
  selectPlugins,
  SourceProvider,
  Sources,
  SystemStatus,
  TermWeights,
  unavailableLanguageModel
} from "@omnirag/core/app"
import { Context, Effect, Layer } from "effect"
import type { PluginSet } from "./plugins.ts"
import { version } from "./version.ts"

type Config = AppConfig["Service"]

const loadersLayer = (config: Config, plugins: PluginSet) =>
  Layer.unwrap(
    Effect.map(selectPlugins("loader", DocumentLoader, plugins.loader, config.loaders), DocumentLoaders.layer)
  )

const sourcesLayer = (config: Config, plugins: PluginSet) =>
  Layer.unwrap(
    Effect.map(selectPlugins("source", SourceProvider, plugins.source, config.sources), Sources.layer)
  )

/** The chunkers of the registry with their default options; one that needs options is left out of previews. */
const chunkersLayer = (plugins: PluginSet) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const usable = yield* Effect.filter(plugins.chunker, (plugin) =>
        Effect.map(plugin.check({}), (faults) => faults.length === 0)
      )
      const selections = usable.map((plugin): PluginSelection => ({ use: plugin.name, options: {} }))
      return Chunkers.layer(yield* selectPlugins("chunker", Chunker, plugins.chunker, selections))
    })
  )

const embeddersLayer = (config: Config, plugins: PluginSet) =>
  Layer.effect(
    Embedders,
    Effect.gen(function* () {
      const health = yield* HealthChecks
      return Embedders.of({
        configured: config.embedder,
        provider: (selection) =>
          Layer.build(selectPlugin("embedder", plugins.embedder, selection)).pipe(
            Effect.map(Context.get(EmbedderProvider)),
            Effect.provideService(HealthChecks, health)
          )
      })
    })
  )

const languageModelLayer = (config: Config, plugins: PluginSet) =>
  config.languageModel === null
    ? unavailableLanguageModel
    : selectPlugin("languageModel", plugins.languageModel, config.languageModel)

const rerankerLayer = (config: Config, plugins: PluginSet) =>
  config.reranker === null ? noReranker : selectPlugin("reranker", plugins.reranker, config.reranker)

/** Every plugin with whether the configuration uses it. */
const pluginInfos = (config: Config, plugins: PluginSet): ReadonlyArray<PluginInfo> => {
  const active: Record<PluginKind, ReadonlyArray<string>> = {
    source: config.sources.map(({ use }) => use),
    loader: config.loaders.map(({ use }) => use),
    chunker: [config.chunker.use],
    embedder: [config.embedder.use],
    vectorStore: [config.vectorStore.use],
    catalog: [config.catalog.use],
    reranker: config.reranker === null ? [] : [config.reranker.use],
    answers: [config.answers.use],
    languageModel: config.languageModel === null ? [] : [config.languageModel.use]
  }
  return pluginKinds.flatMap((kind) =>
    plugins[kind].map(({ name, description }) => ({
      kind,
      name,
      description,
      active: active[kind].includes(name)
    }))
  )
}

/** Chunking alone: what `omnirag chunk` needs. */
export const previewLayer = (config: Config, plugins: PluginSet) =>
  ChunkPreview.layer.pipe(
    Layer.provide([
      loadersLayer(config, plugins),
      chunkersLayer(plugins),
      selectPlugin("chunker", plugins.chunker, config.chunker)
    ]),
    Layer.provide(HealthChecks.layer)
  )

/** All use cases, wired as the configuration says. The one place where names become parts. */
export const appLayer = (config: Config, plugins: PluginSet) => {
  const ports = Layer.mergeAll(
    selectPlugin("catalog", plugins.catalog, config.catalog),
    selectPlugin("vectorStore", plugins.vectorStore, config.vectorStore),
    selectPlugin("chunker", plugins.chunker, config.chunker),
    embeddersLayer(config, plugins),
    loadersLayer(config, plugins),
    chunkersLayer(plugins),
    Layer.mergeAll(
      rerankerLayer(config, plugins),
      selectPlugin("answers", plugins.answers, config.answers)
    ).pipe(Layer.provide(languageModelLayer(config, plugins)))
  )
  const useCases = RetrievalEvaluation.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Answering.layer, FloorCalibration.layer)),
    Layer.provideMerge(Evidence.layer),
    Layer.provideMerge(Layer.mergeAll(Retriever.layer, TermWeights.layer)),
    Layer.provideMerge(SystemStatus.layer({ version, plugins: pluginInfos(config, plugins) })),
    Layer.provideMerge(Layer.mergeAll(Indexer.layer, IndexVerifier.layer)),
    Layer.provideMerge(Documents.layer),
    Layer.provideMerge(ChunkPreview.layer),
    Layer.provideMerge(Generations.layer)
  )
  return useCases.pipe(
    Layer.provide(ports),
    Layer.provideMerge(sourcesLayer(config, plugins)),
    Layer.provideMerge(HealthChecks.layer),
    Layer.provideMerge(Layer.succeed(AppConfigService, config))
  )
}
