import type { MetadataValue } from "./Document.ts"
import type { ChunkFields, ComparisonOperator, Filter, Scalar } from "./Filter.ts"
import { globMatcher } from "./glob.ts"

// Imports only types and small files: worker threads load this, and must not wait until all of Effect is loaded.

/** A key such as "constructor" is not metadata, although every object inherits it. */
const ownValue = (metadata: ChunkFields["metadata"], key: string): MetadataValue | undefined =>
  Object.hasOwn(metadata, key) ? metadata[key] : undefined

const valueOf = (fields: ChunkFields, field: string): MetadataValue | null | undefined =>
  field.startsWith("metadata.")
    ? ownValue(fields.metadata, field.slice(9))
    : fields[field as Exclude<keyof ChunkFields, "metadata">]

const ordered = (left: Scalar, operator: "gt" | "gte" | "lt" | "lte", right: Scalar): boolean => {
  if (typeof left !== typeof right || typeof left === "boolean") return false
  switch (operator) {
    case "gt":
      return left > right
    case "gte":
      return left >= right
    case "lt":
      return left < right
    case "lte":
      return left <= right
  }
}

type Test = (fields: ChunkFields) => boolean

const comparison = (field: string, operator: ComparisonOperator, value: Scalar): Test => {
  const one = ((): ((left: Scalar) => boolean) => {
    switch (operator) {
      case "eq":
        return (left) => left === value
      case "ne":
        return (left) => left !== value
      case "prefix":
        return (left) => typeof left === "string" && left.startsWith(String(value))
      case "glob": {
        const matches = globMatcher(String(value))
        return (left) => typeof left === "string" && matches(left)
      }
      default:
        return (left) => ordered(left, operator, value)
    }
  })()
  return (fields) => {
    const left = valueOf(fields, field)
    if (left === null || left === undefined) return false
    if (typeof left !== "object") return one(left)
    return operator === "ne" ? left.every(one) : left.some(one)
  }
}

/** Compiles a filter once, for many chunks. */
export const compileFilter = (filter: Filter): Test => {
  switch (filter._tag) {
    case "And": {
      const tests = filter.filters.map(compileFilter)
      return (fields) => tests.every((test) => test(fields))
    }
    case "Or": {
      const tests = filter.filters.map(compileFilter)
      return (fields) => tests.some((test) => test(fields))
    }
    case "Not": {
      const test = compileFilter(filter.filter)
      return (fields) => !test(fields)
    }
    case "Compare":
      return comparison(filter.field, filter.operator, filter.value)
    case "In": {
      const values = new Set<Scalar>(filter.values)
      return (fields) => {
        const left = valueOf(fields, filter.field)
        if (left === null || left === undefined) return false
        const found = typeof left === "object" ? left.some((item) => values.has(item)) : values.has(left)
        return found !== filter.negated
      }
    }
    case "Exists":
      return (fields) => {
        const left = valueOf(fields, filter.field)
        return (left !== null && left !== undefined) === filter.exists
      }
  }
}
