/** An operator of a filter, as a store evaluates it on the fields it keeps beside a vector. */
export type FilterOperator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "prefix" | "glob" | "in" | "nin"

/** What a store can do, declared once: core does the rest, and the conformance suite tests what is declared. */
export interface VectorStoreCapabilities {
  readonly filters: {
    /**
     * Operators by the type of the value they compare with. `eq` and `in` on every type are the least a store has. Texts
     * are ordered by UTF-16 units: a store that orders them by a language does not declare `gt` and its like for text.
     */
    readonly operators: {
      readonly text: ReadonlySet<FilterOperator>
      readonly number: ReadonlySet<FilterOperator>
      readonly boolean: ReadonlySet<FilterOperator>
    }
    /** True when it can ask whether a field is there. */
    readonly exists: boolean
    /** How conditions may be combined; a conjunction at the top is the least a store has. */
    readonly or: boolean
    readonly not: boolean
  }
  /** `exact`: the best rows, always. `approximate`: most of them, nearly always. */
  readonly search: "exact" | "approximate"
  /** `sorted`: pages of ids ascending by UTF-16 units; `unsorted`: in any fixed order; `none`: ids cannot be listed. */
  readonly listing: "sorted" | "unsorted" | "none"
  readonly counting: "exact" | "estimate"
  /** `immediate`: a query after an upsert sees it; `eventual`: after a while. */
  readonly consistency: "immediate" | "eventual"
}

const every: ReadonlySet<FilterOperator> = new Set<FilterOperator>([
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "prefix",
  "glob",
  "in",
  "nin"
])

/** For a store that evaluates filters with `compileFilter`. */
export const allFilters: VectorStoreCapabilities["filters"] = {
  operators: { text: every, number: every, boolean: every },
  exists: true,
  or: true,
  not: true
}
