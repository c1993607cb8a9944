import type { ChunkAnalysis, DocumentCatalog } from "@omnirag/core/plugin"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter } from "./CatalogWriter.ts"
import { documentReads } from "./documentReads.ts"
import { documentWrites } from "./documentWrites.ts"

/** The documents with their files and texts. */
export const documentCatalog = (
  database: CatalogDatabase,
  writer: CatalogWriter,
  analysis: ChunkAnalysis
): DocumentCatalog => ({ ...documentReads(database), ...documentWrites(writer, analysis) })
