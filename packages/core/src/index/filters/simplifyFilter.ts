import { exists, type Filter, not } from "../../domain/Filter.ts"

const group = (filter: Extract<Filter, { _tag: "And" | "Or" }>): Filter | boolean => {
  const { _tag } = filter
  // what decides a group by itself: a part that never holds a conjunction, one that always holds a disjunction
  const decides = _tag === "Or"
  const parts: Array<Filter> = []
  for (const inner of filter.filters) {
    const part = simplifyFilter(inner)
    if (part === decides) return decides
    if (typeof part === "boolean") continue
    if (part._tag === _tag) parts.push(...part.filters)
    else parts.push(part)
  }
  const [only] = parts
  if (only === undefined) return !decides
  return parts.length === 1 ? only : { _tag, filters: parts }
}

/**
 * The same condition without empty groups, groups of one, groups directly inside a group of their kind, double negations
 * and empty lists; true when it holds for every row, false when it holds for none.
 */
export const simplifyFilter = (filter: Filter): Filter | boolean => {
  switch (filter._tag) {
    case "And":
    case "Or":
      return group(filter)
    case "Not": {
      const inner = simplifyFilter(filter.filter)
      if (typeof inner === "boolean") return !inner
      return inner._tag === "Not" ? inner.filter : not(inner)
    }
    case "In":
      if (filter.values.length > 0) return filter
      return filter.negated && exists(filter.field)
    default:
      return filter
  }
}
