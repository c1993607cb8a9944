import type { Filter } from "../../domain/Filter.ts"
import { undeclaredPart } from "../../ports/vectorStore/declaresFilter.ts"
import type { VectorStoreCapabilities } from "../../ports/VectorStoreCapabilities.ts"
import { isPortable } from "./filterScope.ts"
import { simplifyFilter } from "./simplifyFilter.ts"

/** The conditions of a filter, all of which must hold. */
export interface SplitFilter {
  /** Within what the store declares. */
  readonly pushed: ReadonlyArray<Filter>
  /** For the catalog. */
  readonly rest: ReadonlyArray<Filter>
}

/**
 * Splits a filter into the conditions that a store evaluates and the rest; null when it holds for no row, whatever the
 * rows are. Pushed and rest together mean exactly what the filter means.
 */
export const splitFilter = (
  filter: Filter,
  filters: VectorStoreCapabilities["filters"]
): SplitFilter | null => {
  const simple = simplifyFilter(filter)
  if (simple === false) return null
  if (simple === true) return { pushed: [], rest: [] }
  const conditions = simple._tag === "And" ? simple.filters : [simple]
  const isPushed = (part: Filter): boolean => undeclaredPart(filters, part) === undefined && isPortable(part)
  return { pushed: conditions.filter(isPushed), rest: conditions.filter((part) => !isPushed(part)) }
}
