import { type DataFolder, type HealthChecks, PluginError, VectorStoreProvider } from "@omnirag/core/plugin"
import { Effect, Layer } from "effect"
import type { FaissOptions } from "./FaissOptions.ts"
import { checkedVectorStore } from "./local/checkedVectorStore.ts"

/** The store `faiss` with these options; fails where an index is asked for that its binding cannot build. */
export const faissStore = ({
  binding,
  efConstruction,
  efSearch,
  index,
  m
}: FaissOptions): Layer.Layer<VectorStoreProvider, PluginError, DataFolder | HealthChecks> => {
  if (index === "flat") return checkedVectorStore({ name: "faiss", index: { binding, graph: undefined } })
  if (binding === "exact" || binding === "faiss-node")
    return Layer.effect(
      VectorStoreProvider,
      Effect.fail(
        new PluginError({
          kind: "vectorStore",
          name: "faiss",
          message: `options.index: hnsw needs binding: addon (or auto), not ${binding}`
        })
      )
    )
  // a search reads about m links of each candidate
  const graph = { m, efConstruction, efSearch, searchCost: efSearch * m }
  return checkedVectorStore({ name: "faiss", index: { binding, graph } })
}
