import { and, type Filter } from "../../domain/Filter.ts"

/** Conditions that must all hold as one filter; undefined when there are none. */
export const joinConditions = (conditions: ReadonlyArray<Filter>): Filter | undefined =>
  conditions.length > 1 ? and(...conditions) : conditions[0]
