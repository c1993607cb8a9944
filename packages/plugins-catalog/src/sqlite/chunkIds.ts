import type { ChunkCatalog } from "@omnirag/core/plugin"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { numberOf, textOf } from "./columns.ts"
import { databaseState } from "./databaseState.ts"

/**
 * Pages of chunk ids, ascending by UTF-16 units. The index orders by UTF-8, which is the same for the hexadecimal ids that
 * core makes. Where ids hold anything but ASCII (those of a foreign chunker), all of them are read and sorted for a page.
 */
export const chunkIds = (database: CatalogDatabase): ChunkCatalog["ids"] => {
  let state = ""
  let ascii = true

  const areAscii = (): boolean => {
    const now = databaseState(database)
    if (now !== state) {
      const row = database
        .statement("SELECT EXISTS (SELECT 1 FROM chunks WHERE length(id) <> octet_length(id)) AS some")
        .get()
      ascii = numberOf(row ?? {}, "some") === 0
    }
    state = now
    return ascii
  }

  return ({ after = "", limit }) =>
    database.attempt("chunks.ids", () =>
      database.read(() => {
        const most = Math.max(0, limit)
        if (areAscii())
          return database
            .statement("SELECT id FROM chunks WHERE id > ? ORDER BY id LIMIT ?")
            .all(after, most)
            .map((row) => textOf(row, "id"))
        return database
          .statement("SELECT id FROM chunks")
          .all()
          .map((row) => textOf(row, "id"))
          .filter((id) => id > after)
          .toSorted()
          .slice(0, most)
      })
    )
}
