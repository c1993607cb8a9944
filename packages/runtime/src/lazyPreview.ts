import { type AppConfig, ChunkPreview } from "@omnirag/core/app"
import { Effect, Layer } from "effect"
import type { Platform } from "./pluginServices.ts"
import { previewLayer } from "./previewLayer.ts"
import type { PluginSet } from "./PluginSet.ts"

/** Previews of chunks whose loaders and chunkers are built when the first is asked for: a search has no use for them. */
export const lazyPreview = (config: AppConfig["Service"], plugins: PluginSet) =>
  Layer.effect(
    ChunkPreview,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const platform = yield* Effect.context<Platform>()
      const previews = yield* Effect.cached(
        Layer.buildWithScope(previewLayer(config, plugins), scope).pipe(
          Effect.provideContext(platform),
          // the selections were checked with the configuration
          Effect.orDie
        )
      )
      return ChunkPreview.of({
        chunks: (file) =>
          Effect.flatMap(previews, (built) =>
            ChunkPreview.use((preview) => preview.chunks(file)).pipe(Effect.provideContext(built))
          )
      })
    })
  )
