import { type AppConfig, ChunkPreview, selectPlugin } from "@omnirag/core/app"
import { Layer } from "effect"
import { chunkersLayer, loadersLayer } from "./parts.ts"
import { pluginServices } from "./pluginServices.ts"
import type { PluginSet } from "./PluginSet.ts"

/** Chunking alone: what `omnirag chunk` needs. */
export const previewLayer = (config: AppConfig["Service"], plugins: PluginSet) =>
  ChunkPreview.layer.pipe(
    Layer.provide([
      loadersLayer(config, plugins),
      chunkersLayer(plugins),
      selectPlugin("chunker", plugins.chunker, config.chunker)
    ]),
    Layer.provide(pluginServices(config))
  )
