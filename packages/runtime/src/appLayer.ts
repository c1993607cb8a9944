import {
  Answering,
  Access,
  AccessPolicy,
  AppConfig,
  ChunkPreview,
  Documents,
  Evidence,
  FloorCalibration,
  Indexer,
  indexLayer,
  IndexVerifier,
  RetrievalBenchmark,
  Retriever,
  selectPlugin,
  SystemStatus
} from "@omnirag/core/app"
import { Layer } from "effect"
import {
  chunkersLayer,
  embeddersLayer,
  languageModelLayer,
  loadersLayer,
  rerankerLayer,
  sourcesLayer
} from "./parts.ts"
import { pluginInfos } from "./pluginInfos.ts"
import { pluginServices } from "./pluginServices.ts"
import type { PluginSet } from "./PluginSet.ts"
import { version } from "./version.ts"

/** All use cases, wired as the configuration says. The one place where names become parts. `policy` says who sees what. */
export const appLayer = (
  config: AppConfig["Service"],
  plugins: PluginSet,
  policy: Layer.Layer<AccessPolicy> = AccessPolicy.allowAll
) => {
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
  const useCases = RetrievalBenchmark.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Answering.layer, FloorCalibration.layer)),
    Layer.provideMerge(Evidence.layer),
    Layer.provideMerge(Retriever.layer),
    Layer.provideMerge(SystemStatus.layer({ version, plugins: pluginInfos(config, plugins) })),
    Layer.provideMerge(Layer.mergeAll(Indexer.layer, IndexVerifier.layer)),
    Layer.provideMerge(Documents.layer),
    Layer.provideMerge(ChunkPreview.layer),
    Layer.provideMerge(indexLayer)
  )
  return useCases.pipe(
    Layer.provide(Access.layer.pipe(Layer.provide(policy))),
    Layer.provide(ports),
    Layer.provideMerge(sourcesLayer(config, plugins)),
    Layer.provideMerge(pluginServices(config)),
    Layer.provideMerge(Layer.succeed(AppConfig, config))
  )
}
