import type { Effect } from "effect"
import type { Catalog, CatalogProvider } from "../ports/CatalogProvider.ts"

/** Runs one test on an empty catalog. */
export type CatalogTest = <E>(
  title: string,
  body: (catalog: Catalog, folder: string) => Effect.Effect<void, E, CatalogProvider>
) => void
