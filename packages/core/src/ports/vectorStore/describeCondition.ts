import type { Filter, Scalar } from "../../domain/Filter.ts"

const shownValues = 3
const shownParts = 3
const shownDepth = 3

const list = (values: ReadonlyArray<Scalar>): string => {
  const shown = values.slice(0, shownValues).map((value) => JSON.stringify(value))
  return `[${[...shown, ...(values.length > shownValues ? [`… ${values.length} values`] : [])].join(", ")}]`
}

/** A filter in words for a message; long and deep ones are cut short. */
export const describeCondition = (filter: Filter, depth = 1): string => {
  if (depth > shownDepth) return "…"
  switch (filter._tag) {
    case "And":
    case "Or": {
      const shown = filter.filters.slice(0, shownParts).map((part) => describeCondition(part, depth + 1))
      const more = filter.filters.length > shownParts ? [`… ${filter.filters.length} conditions`] : []
      return `(${[...shown, ...more].join(filter._tag === "And" ? " and " : " or ")})`
    }
    case "Not":
      return `not ${describeCondition(filter.filter, depth + 1)}`
    case "Compare":
      return `\`${filter.field} ${filter.operator} ${JSON.stringify(filter.value)}\``
    case "In":
      return `\`${filter.field} ${filter.negated ? "nin" : "in"} ${list(filter.values)}\``
    case "Exists":
      return `\`${filter.field} ${filter.exists ? "exists" : "is absent"}\``
  }
}
