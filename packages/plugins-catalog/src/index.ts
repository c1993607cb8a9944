import { sqliteCatalog } from "./sqlite/sqliteCatalog.ts"

/** Every catalog plugin of this package. */
export const catalogs = [sqliteCatalog]
export { sqliteCatalog }
