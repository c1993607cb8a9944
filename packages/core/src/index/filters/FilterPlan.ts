import type { ChunkCatalog } from "../../ports/catalog/ChunkCatalog.ts"
import type { DocumentCatalog } from "../../ports/catalog/DocumentCatalog.ts"
import type { VectorQuery } from "../../ports/VectorStoreProvider.ts"

/** How a filter is put to a vector store: the rows that satisfy both parts are those that satisfy the filter. */
export type FilterPlan = Pick<VectorQuery, "where" | "ids">

/** What of a catalog resolves conditions. */
export interface FilterCatalog {
  readonly documents: Pick<DocumentCatalog, "matching">
  readonly chunks: Pick<ChunkCatalog, "matching">
}
