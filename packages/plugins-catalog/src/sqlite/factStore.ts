import type { FactStore } from "@omnirag/core/plugin"
import { Option } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter } from "./CatalogWriter.ts"
import { readMeta, writeMeta } from "./meta.ts"

/** The small values kept with the index. */
export const factStore = (database: CatalogDatabase, writer: CatalogWriter): FactStore => ({
  get: (key) => database.attempt("facts.get", () => Option.fromNullishOr(readMeta(database, key))),
  set: (key, value) =>
    writer.write("facts.set", (transaction) => {
      writeMeta(transaction, key, value)
    })
})
