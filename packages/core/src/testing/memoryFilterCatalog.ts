import { Effect } from "effect"
import { compileFilter } from "../domain/compileFilter.ts"
import { type ChunkFields, type Filter, validateFilter } from "../domain/Filter.ts"
import type { FilterCatalog } from "../index/filters/FilterPlan.ts"

/** The part of a catalog that resolves filters, over rows in memory by chunk id. */
export const memoryFilterCatalog = (rows: ReadonlyMap<string, ChunkFields>): FilterCatalog => {
  const matching = (where: Filter, limit: number, idOf: (chunkId: string, fields: ChunkFields) => string) =>
    Effect.map(Effect.fromResult(validateFilter(where)), () => {
      const test = compileFilter(where)
      const found = new Set<string>()
      for (const [chunkId, fields] of rows) {
        if (found.size >= limit) break
        if (test(fields)) found.add(idOf(chunkId, fields))
      }
      return [...found]
    })
  return {
    documents: { matching: (where, limit) => matching(where, limit, (_, { documentId }) => documentId) },
    chunks: { matching: (where, limit) => matching(where, limit, (chunkId) => chunkId) }
  }
}
