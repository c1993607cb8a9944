import { ChunkFilter, type Filter, InvalidInput, type Scalar } from "@omnirag/core/app"
import { Effect, Result } from "effect"

/** Conditions on one field as they come from GraphQL; all that are given must hold. */
export interface ConditionsInput {
  readonly eq?: Scalar | null | undefined
  readonly ne?: Scalar | null | undefined
  readonly in?: ReadonlyArray<Scalar> | null | undefined
  readonly nin?: ReadonlyArray<Scalar> | null | undefined
  readonly gt?: Scalar | null | undefined
  readonly gte?: Scalar | null | undefined
  readonly lt?: Scalar | null | undefined
  readonly lte?: Scalar | null | undefined
  readonly prefix?: string | null | undefined
  readonly glob?: string | null | undefined
  readonly exists?: boolean | null | undefined
}

export interface MetadataFilterInput extends ConditionsInput {
  readonly key: string
}

type Field = (typeof ChunkFilter.filterFields)[number]

/** A filter as it comes from GraphQL: conditions by field, and the filters it is combined with. */
export type FilterInput = { readonly [field in Field]?: ConditionsInput | null | undefined } & {
  readonly metadata?: ReadonlyArray<MetadataFilterInput> | null | undefined
  readonly _and?: ReadonlyArray<FilterInput> | null | undefined
  readonly _or?: ReadonlyArray<FilterInput> | null | undefined
  readonly _not?: FilterInput | null | undefined
}

/** UTF-16 units of a glob or prefix. */
const longestPattern = 1000

/** A null is refused: as "no condition" it would widen a search, without notice, when a variable was left empty. */
const refuseNull = (path: string): InvalidInput =>
  new InvalidInput({
    field: path,
    message: `${path} is null; leave it out, or ask for absent values with {exists: false}`
  })

const tooLong = (path: string): InvalidInput =>
  new InvalidInput({ field: path, message: `${path} is longer than ${longestPattern} characters` })

const condition = (
  field: string,
  operator: keyof ConditionsInput,
  conditions: ConditionsInput,
  path: string
): Result.Result<Filter, InvalidInput> => {
  const value = conditions[operator]
  if (value === null || value === undefined) return Result.fail(refuseNull(path))
  switch (operator) {
    case "in":
    case "nin": {
      const values = conditions[operator] ?? []
      return Result.succeed({ _tag: "In", field, values, negated: operator === "nin" })
    }
    case "exists":
      return Result.succeed(ChunkFilter.exists(field, conditions.exists === true))
    case "prefix":
    case "glob": {
      const pattern = conditions[operator] ?? ""
      return pattern.length > longestPattern
        ? Result.fail(tooLong(path))
        : Result.succeed(ChunkFilter.compare(field, operator, pattern))
    }
    default:
      return Result.succeed(ChunkFilter.compare(field, operator, conditions[operator] ?? ""))
  }
}

const operators: ReadonlyArray<keyof ConditionsInput> = [
  ...ChunkFilter.comparisonOperators,
  "in",
  "nin",
  "exists"
]

const conditionsOf = function* (field: string, conditions: ConditionsInput, path: string) {
  for (const operator of operators) {
    if (conditions[operator] !== undefined) {
      yield condition(field, operator, conditions, `${path}.${operator}`)
    }
  }
}

/** Every part of a filter in turn; nested filters are decoded by `decode`. */
const partsOf = function* (
  input: FilterInput,
  path: string,
  decode: (input: FilterInput, path: string) => Result.Result<Filter, InvalidInput>
) {
  for (const field of ChunkFilter.filterFields) {
    const conditions = input[field]
    if (conditions === null) yield Result.fail(refuseNull(`${path}.${field}`))
    else if (conditions !== undefined) yield* conditionsOf(field, conditions, `${path}.${field}`)
  }
  for (const name of ["metadata", "_and", "_or", "_not"] as const) {
    if (input[name] === null) yield Result.fail(refuseNull(`${path}.${name}`))
  }
  for (const [index, { key, ...conditions }] of (input.metadata ?? []).entries()) {
    yield* conditionsOf(`metadata.${key}`, conditions, `${path}.metadata[${index}]`)
  }
  for (const [index, inner] of (input._and ?? []).entries()) yield decode(inner, `${path}._and[${index}]`)
  if (input._or !== null && input._or !== undefined) {
    const alternatives = input._or.map((inner, index) => decode(inner, `${path}._or[${index}]`))
    yield Result.map(Result.all(alternatives), (filters) => ChunkFilter.or(...filters))
  }
  if (input._not !== null && input._not !== undefined) {
    yield Result.map(decode(input._not, `${path}._not`), ChunkFilter.not)
  }
}

const decodeAt = (input: FilterInput, path: string): Result.Result<Filter, InvalidInput> =>
  Result.map(Result.all([...partsOf(input, path, decodeAt)]), (filters) => {
    const [only] = filters
    return filters.length === 1 && only !== undefined ? only : ChunkFilter.and(...filters)
  })

/**
 * The filter that a GraphQL argument describes; undefined when it has no condition. All conditions given together
 * apply. `InvalidInput` for a null, and for a filter beyond `filterLimits` of core.
 */
export const decodeFilter = (
  input: FilterInput | null | undefined,
  path = "where"
): Effect.Effect<Filter | undefined, InvalidInput> => {
  if (input === null || input === undefined) return Effect.succeed(undefined)
  return Effect.fromResult(
    decodeAt(input, path).pipe(
      Result.flatMap(ChunkFilter.validateFilter),
      Result.map((filter) => (filter._tag === "And" && filter.filters.length === 0 ? undefined : filter))
    )
  )
}
