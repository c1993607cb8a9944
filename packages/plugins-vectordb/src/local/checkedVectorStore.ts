import { Layer } from "effect"
import { type DataFolder, HealthChecks, type VectorStoreProvider } from "@omnirag/core/plugin"
import { type LocalStoreOptions, localVectorStore } from "./LocalVectorStore.ts"
import { vectorStoreHealth } from "./vectorStoreHealth.ts"

/** A local store with a health check that names its binding. */
export const checkedVectorStore = (
  options: LocalStoreOptions
): Layer.Layer<VectorStoreProvider, never, DataFolder | HealthChecks> =>
  Layer.merge(
    localVectorStore(options),
    Layer.effectDiscard(HealthChecks.use((checks) => checks.register("vectors", vectorStoreHealth(options))))
  )
