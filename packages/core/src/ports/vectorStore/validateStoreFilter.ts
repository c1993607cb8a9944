import { Result } from "effect"
import { InvalidInput } from "../../domain/errors.ts"
import { type Filter, filterLimits, validateFilter } from "../../domain/Filter.ts"
import type { VectorStoreCapabilities } from "../VectorStoreCapabilities.ts"
import { maxIds } from "../VectorStoreProvider.ts"
import { undeclaredPart } from "./declaresFilter.ts"
import { describeCondition } from "./describeCondition.ts"

/**
 * Refuses a filter that a store cannot evaluate: it names an unknown field, asks for what the store does not declare
 * (core resolves that through the catalog and never sends it), or is larger than a filter of a request with one list of
 * `maxIds` documents. Every store calls this before any code of its backend.
 */
export const validateStoreFilter = (
  store: string,
  filters: VectorStoreCapabilities["filters"],
  where: Filter
): Result.Result<Filter, InvalidInput> => {
  const undeclared = undeclaredPart(filters, where)
  if (undeclared !== undefined)
    return Result.fail(
      new InvalidInput({
        field: "where",
        message: `the vector store ${store} does not declare that it evaluates ${describeCondition(undeclared)}`
      })
    )
  return validateFilter(where, { ...filterLimits, conditions: filterLimits.conditions + maxIds })
}
