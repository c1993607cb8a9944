import { type Catalog, CatalogProvider, definePlugin } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { check } from "./check.ts"
import { chunkReads } from "./chunkReads.ts"
import { documentReads } from "./documentReads.ts"
import { documentWrites } from "./documentWrites.ts"
import { lexicalIndex } from "./lexical.ts"
import { openConnections, type Connections } from "./openDatabase.ts"
import { outbox } from "./outbox.ts"
import { repeats } from "./repeats.ts"
import { runs } from "./runs.ts"
import { seed } from "./seed.ts"
import { termsVersion } from "./termsVersion.ts"
import { vectorCache } from "./vectorCache.ts"
import { takeWriteLock } from "./writeLock.ts"

const name = "sqlite"

export const SqliteCatalogOptions = Schema.Struct({
  headingWeight: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    Schema.withDecodingDefaultKey(Effect.succeed(2))
  ).annotate({
    description: "How much more a term counts in a heading or title than in the text, for lexical search"
  })
})
export type SqliteCatalogOptions = typeof SqliteCatalogOptions.Type

const catalogOn = ({ database, writer }: Connections, options: SqliteCatalogOptions): Catalog => ({
  name,
  ...documentWrites(writer),
  ...documentReads(database),
  ...chunkReads(database),
  ...repeats(database),
  ...lexicalIndex(database, options.headingWeight),
  ...vectorCache(database, writer),
  ...outbox(database, writer),
  ...runs(database, writer),
  ...termsVersion(database, writer),
  ...check(database, writer)
})

/** The catalog in one SQLite file with FTS5 for lexical search: nothing to install, readers in other processes. */
export const sqliteCatalog = definePlugin({
  kind: "catalog",
  name,
  description: "Documents, chunks and the lexical index in one SQLite file",
  options: SqliteCatalogOptions,
  layer: (options: SqliteCatalogOptions) =>
    Layer.succeed(CatalogProvider, {
      name,
      open: (folder, { readOnly = false } = {}) =>
        Effect.map(openConnections(folder, readOnly), (connections) => catalogOn(connections, options)),
      lock: takeWriteLock,
      seed
    })
})
