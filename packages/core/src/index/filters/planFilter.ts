import { Effect, Option } from "effect"
import type { CatalogError, FilterTooBroad, InvalidInput } from "../../domain/errors.ts"
import type { Filter } from "../../domain/Filter.ts"
import { maxIds, type VectorStore } from "../../ports/VectorStoreProvider.ts"
import type { FilterCatalog, FilterPlan } from "./FilterPlan.ts"
import { resolveConditions } from "./resolveConditions.ts"
import { splitFilter } from "./splitFilter.ts"

/**
 * Puts a filter to a vector store that may evaluate only a part of it, so that the same rows match on every store. What
 * the store declares is pushed down; the rest is resolved by the catalog, before the top k are chosen: to the documents
 * it holds for, to those it does not hold for, or to chunks when it asks for page, intent or confidence.
 *
 * None when nothing can match. `FilterTooBroad` when the rest holds for more than `limit` documents and chunks (`maxIds`
 * unless a test says otherwise), and the documents left out are as many or cannot be named.
 */
export const planFilter = Effect.fn("planFilter")(function* (
  where: Filter | undefined,
  store: Pick<VectorStore, "name" | "capabilities">,
  catalog: FilterCatalog,
  limit = maxIds
): Effect.fn.Return<Option.Option<FilterPlan>, CatalogError | InvalidInput | FilterTooBroad> {
  if (where === undefined) return Option.some({})
  const split = splitFilter(where, store.capabilities.filters)
  return split === null ? Option.none() : yield* resolveConditions(split, store, catalog, limit)
})
