import { Effect } from "effect"
import type { Catalog } from "../ports/CatalogProvider.ts"
import { getGivenSources, setFact } from "./Generation.ts"

/** Remembers that documents of this source come from the API. */
export const rememberGivenSource = Effect.fnUntraced(function* (catalog: Catalog, source: string) {
  const names = yield* getGivenSources(catalog)
  if (!names.includes(source)) yield* setFact(catalog, "givenSources", JSON.stringify([...names, source]))
})
