import type { ChunkCatalog } from "@omnirag/core/plugin"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { chunkReads } from "./chunkReads.ts"
import { repeats } from "./repeats.ts"

/** The chunks, and which of them repeat a text of their source. */
export const chunkCatalog = (database: CatalogDatabase): ChunkCatalog => ({
  ...chunkReads(database),
  ...repeats(database)
})
