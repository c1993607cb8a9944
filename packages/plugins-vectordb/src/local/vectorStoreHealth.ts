import { Effect } from "effect"
import type { HealthReport, IndexCorrupt, VectorStoreError } from "@omnirag/core/plugin"
import type { LocalStoreOptions } from "./LocalVectorStore.ts"
import { acquireVectorWorker } from "./worker/VectorWorker.ts"

const failed = (error: VectorStoreError | IndexCorrupt) => ({ healthy: false, detail: error.message })

/** Which binding holds the vectors, or what to install for a better one; how far the graph is. */
export const vectorStoreHealth = (options: LocalStoreOptions): Effect.Effect<HealthReport> => {
  const { graph } = options.index
  const kind =
    graph === undefined
      ? "flat"
      : `hnsw (m ${graph.m}, efConstruction ${graph.efConstruction}, efSearch ${graph.efSearch})`
  return Effect.scoped(
    Effect.flatMap(acquireVectorWorker(options.workerLimits), (worker) =>
      worker.request(options.name, "describe", { index: options.index })
    )
  ).pipe(
    Effect.match({
      onFailure: failed,
      onSuccess: ({ description, graphs, warning }) => {
        const parts = [`${description}, ${kind}`]
        for (const { fault, linked, rows } of graphs) {
          if (linked < rows) parts.push(`${linked} of ${rows} rows linked, the others are scanned`)
          if (fault !== undefined) parts.push(`the graph failed: ${fault}`)
        }
        if (warning !== undefined) parts.push(`warning: ${warning}`)
        return { healthy: true, detail: parts.join("; ") }
      }
    })
  )
}
