import { Result } from "effect"
import type { MetadataValue } from "./Document.ts"
import { InvalidInput } from "./errors.ts"

/** The fields of a chunk that a filter can use. Every vector store keeps them together with the vector. */
export interface ChunkFields {
  readonly documentId: string
  readonly repo: string
  readonly bundle: string | null
  readonly path: string
  readonly mediaType: string
  readonly intent: string | null
  readonly page: number | null
  readonly confidence: number
  readonly metadata: Readonly<Record<string, MetadataValue>>
}

export const comparisonOperators = ["eq", "ne", "gt", "gte", "lt", "lte", "prefix", "glob"] as const
export type ComparisonOperator = (typeof comparisonOperators)[number]
export type Scalar = string | number | boolean

/**
 * A condition on the fields of a chunk. `field` is a name of `ChunkFields`, or `metadata.` and a key.
 *
 * A comparison with an absent value (null, a key the document lacks) is false; so `ne` and `nin` hold only where the
 * field exists; use `Not` to include chunks without it. A list of strings satisfies `eq`, `in`, `prefix` and `glob`
 * when one of its members does, and `ne` and `nin` when no member equals.
 */
export type Filter =
  | { readonly _tag: "And"; readonly filters: ReadonlyArray<Filter> }
  | { readonly _tag: "Or"; readonly filters: ReadonlyArray<Filter> }
  | { readonly _tag: "Not"; readonly filter: Filter }
  | {
      readonly _tag: "Compare"
      readonly field: string
      readonly operator: ComparisonOperator
      readonly value: Scalar
    }
  | {
      readonly _tag: "In"
      readonly field: string
      readonly values: ReadonlyArray<Scalar>
      readonly negated: boolean
    }
  | { readonly _tag: "Exists"; readonly field: string; readonly exists: boolean }

export const and = (...filters: ReadonlyArray<Filter>): Filter => ({ _tag: "And", filters })
export const or = (...filters: ReadonlyArray<Filter>): Filter => ({ _tag: "Or", filters })
export const not = (filter: Filter): Filter => ({ _tag: "Not", filter })
export const compare = (field: string, operator: ComparisonOperator, value: Scalar): Filter => ({
  _tag: "Compare",
  field,
  operator,
  value
})
export const equals = (field: string, value: Scalar): Filter => compare(field, "eq", value)
export const isIn = (field: string, values: ReadonlyArray<Scalar>): Filter => ({
  _tag: "In",
  field,
  values,
  negated: false
})
export const exists = (field: string, is = true): Filter => ({ _tag: "Exists", field, exists: is })

/** The names a filter may use, besides `metadata.<key>`. */
export const filterFields = [
  "documentId",
  "repo",
  "bundle",
  "path",
  "mediaType",
  "intent",
  "page",
  "confidence"
] as const
const known: ReadonlySet<string> = new Set(filterFields)

/** The deepest nesting of `_and`, `_or`, `_not` that a filter may have, and the most conditions. */
export const filterLimits: { readonly depth: number; readonly conditions: number } = {
  depth: 16,
  conditions: 1000
}

/** Refuses a filter that names an unknown field, nests too deeply or holds too many conditions. */
export const validateFilter = (
  filter: Filter,
  limits: typeof filterLimits = filterLimits
): Result.Result<Filter, InvalidInput> => {
  let conditions = 0
  const fault = (part: Filter, depth: number): string | undefined => {
    if (depth > limits.depth) return `nests deeper than ${limits.depth} levels`
    switch (part._tag) {
      case "And":
      case "Or":
        for (const inner of part.filters) {
          const found = fault(inner, depth + 1)
          if (found !== undefined) return found
        }
        return undefined
      case "Not":
        return fault(part.filter, depth + 1)
      default:
        conditions += part._tag === "In" ? Math.max(1, part.values.length) : 1
        if (conditions > limits.conditions) return `holds more than ${limits.conditions} conditions`
        return known.has(part.field) || (part.field.startsWith("metadata.") && part.field.length > 9)
          ? undefined
          : `names the unknown field "${part.field}"; known: ${filterFields.join(", ")}, metadata.<key>`
    }
  }
  const found = fault(filter, 1)
  return found === undefined
    ? Result.succeed(filter)
    : Result.fail(new InvalidInput({ field: "where", message: `the filter ${found}` }))
}
