import {
  Access,
  AccessPolicy,
  AppConfig,
  Documents,
  indexLayer,
  noReranker,
  Retriever,
  selectPlugin
} from "@omnirag/core/app"
import { Layer } from "effect"
import { lazyPreview } from "./lazyPreview.ts"
import { embeddersLayer, languageModelLayer } from "./parts.ts"
import { pluginServices } from "./pluginServices.ts"
import type { PluginSet } from "./PluginSet.ts"

/** Finding alone, without what indexes and answers: what `omnirag search` needs. `policy` says who sees what. */
export const searchLayer = (
  config: AppConfig["Service"],
  plugins: PluginSet,
  policy: Layer.Layer<AccessPolicy> = AccessPolicy.allowAll
) => {
  const reranker =
    config.reranker === null
      ? noReranker
      : selectPlugin("reranker", plugins.reranker, config.reranker).pipe(
          Layer.provide(languageModelLayer(config, plugins))
        )
  const ports = Layer.mergeAll(
    selectPlugin("catalog", plugins.catalog, config.catalog),
    selectPlugin("vectorStore", plugins.vectorStore, config.vectorStore),
    embeddersLayer(config, plugins),
    reranker
  )
  return Layer.mergeAll(Retriever.layer, Documents.layer).pipe(
    Layer.provide([indexLayer, Access.layer.pipe(Layer.provide(policy))]),
    Layer.provide([ports, lazyPreview(config, plugins)]),
    Layer.provide(pluginServices(config)),
    Layer.provide(Layer.succeed(AppConfig, config))
  )
}
