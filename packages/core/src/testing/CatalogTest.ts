import type { Effect } from "effect"
import type { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { GenerationRef } from "../ports/GenerationRef.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"

/** Runs one test on the empty catalog of the first generation of an index that no other test has. */
export type CatalogTest = <E>(
  title: string,
  body: (catalog: Catalog, generation: GenerationRef) => Effect.Effect<void, E, CatalogProvider>
) => void

/** The generation after the first one of the same index. */
export const nextOf = ({ index }: GenerationRef): GenerationRef => ({ index, id: "g-000002" })
