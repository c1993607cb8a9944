import { definePlugin } from "@omnirag/core/plugin"
import { SqliteCatalogOptions } from "./SqliteCatalogOptions.ts"

/**
 * The catalog of each generation in one SQLite file with FTS5 for lexical search, and the registry and the artifacts in the
 * data folder beside it: nothing to install, readers in other processes.
 */
export const sqliteCatalog = definePlugin({
  kind: "catalog",
  name: "sqlite",
  description: "Documents, chunks and the lexical index in one SQLite file",
  options: SqliteCatalogOptions,
  load: () => import("./sqliteLayer.ts").then(({ sqliteLayer }) => sqliteLayer)
})
