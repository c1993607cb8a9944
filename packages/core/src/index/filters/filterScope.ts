import type { Filter, Scalar } from "../../domain/Filter.ts"

type Condition = Extract<Filter, { readonly field: string }>

/** True when a test holds for every condition of a filter. */
const everyCondition = (filter: Filter, test: (condition: Condition) => boolean): boolean => {
  switch (filter._tag) {
    case "And":
    case "Or":
      return filter.filters.every((part) => everyCondition(part, test))
    case "Not":
      return everyCondition(filter.filter, test)
    default:
      return test(filter)
  }
}

const chunkFields: ReadonlySet<string> = new Set(["intent", "page", "confidence"])

/** True when a filter asks only for fields of documents, so that all chunks of a document match or none. */
export const asksOnlyDocuments = (filter: Filter): boolean =>
  everyCondition(filter, ({ field }) => !chunkFields.has(field))

const isPortableValue = (value: Scalar): boolean => {
  if (typeof value === "string") return value.isWellFormed()
  return typeof value === "boolean" || Number.isFinite(value)
}

/** True when every value of a filter reaches another process unchanged: JSON has no NaN, UTF-8 no half of a surrogate pair. */
export const isPortable = (filter: Filter): boolean =>
  everyCondition(filter, (condition) => {
    switch (condition._tag) {
      case "Compare":
        return isPortableValue(condition.value)
      case "In":
        return condition.values.every(isPortableValue)
      case "Exists":
        return true
    }
  })
