import type { Catalog, CatalogProvider } from "@omnirag/core/app"
import { CatalogProvider as Provider } from "@omnirag/core/app"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sqliteCatalog } from "../src/index.ts"

/** A folder of its own for one test, removed afterwards. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-catalog-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Opens the catalog in the folder, uses it and closes it. */
export const withCatalog = <A, E>(
  folder: string,
  use: (catalog: Catalog) => Effect.Effect<A, E, CatalogProvider>
) => Effect.scoped(Effect.flatMap(Provider, (provider) => Effect.flatMap(provider.open(folder), use)))

export const layer = sqliteCatalog.build({})
