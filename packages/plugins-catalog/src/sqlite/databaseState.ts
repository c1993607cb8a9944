import type { CatalogDatabase } from "./CatalogDatabase.ts"
import { numberOf } from "./columns.ts"

/** Something that differs whenever this connection or another has written since: what was read before may be old then. */
export const databaseState = (database: CatalogDatabase): string => {
  const own = database.statement("SELECT total_changes() AS changes").get() ?? {}
  // SQLite raises it for what other connections commit alone
  const others = database.statement("PRAGMA data_version").get() ?? {}
  return `${numberOf(own, "changes")} ${numberOf(others, "data_version")}`
}
