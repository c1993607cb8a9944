import type { Filter, Scalar } from "../../domain/Filter.ts"
import type { FilterOperator, VectorStoreCapabilities } from "../VectorStoreCapabilities.ts"

type Filters = VectorStoreCapabilities["filters"]

const types = { string: "text", number: "number", boolean: "boolean" } as const
const typeOf = (value: Scalar): "text" | "number" | "boolean" =>
  types[typeof value === "string" ? "string" : typeof value === "number" ? "number" : "boolean"]

/** True when a store declares an operator for the type of this value. */
export const declaresOperator = (filters: Filters, operator: FilterOperator, value: Scalar): boolean =>
  filters.operators[typeOf(value)].has(operator)

/**
 * The first part of a filter that lies outside what a store declares, or undefined. A conjunction at the top is within,
 * whatever the store is.
 */
export const undeclaredPart = (filters: Filters, filter: Filter): Filter | undefined => {
  const first = (parts: ReadonlyArray<Filter>): Filter | undefined => {
    for (const part of parts) {
      const found = undeclaredPart(filters, part)
      if (found !== undefined) return found
    }
    return undefined
  }
  switch (filter._tag) {
    case "And":
      return first(filter.filters)
    case "Or":
      return filters.or ? first(filter.filters) : filter
    case "Not":
      return filters.not ? undeclaredPart(filters, filter.filter) : filter
    case "Compare":
      return declaresOperator(filters, filter.operator, filter.value) ? undefined : filter
    case "In": {
      const operator = filter.negated ? "nin" : "in"
      return filter.values.every((value) => declaresOperator(filters, operator, value)) ? undefined : filter
    }
    case "Exists":
      return filters.exists ? undefined : filter
  }
}
