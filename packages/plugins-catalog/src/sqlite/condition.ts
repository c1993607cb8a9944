import { ChunkFilter, type Filter, InvalidInput } from "@omnirag/core/plugin"
import { Effect } from "effect"
import { filterSql, type SqlCondition } from "./filterSql.ts"

/** Fields that a chunk has and a document has not. */
const chunkFields: ReadonlySet<string> = new Set(["page", "intent", "confidence"])

const chunkField = (filter: Filter): string | undefined => {
  switch (filter._tag) {
    case "And":
    case "Or":
      return filter.filters.map(chunkField).find((field) => field !== undefined)
    case "Not":
      return chunkField(filter.filter)
    default:
      return chunkFields.has(filter.field) ? filter.field : undefined
  }
}

const refused = (message: string): InvalidInput => new InvalidInput({ field: "where", message })

/** The condition of a valid filter; true without one. `InvalidInput` for a filter that cannot be used. */
export const conditionOf = (
  filter: Filter | undefined,
  on: "chunks" | "documents"
): Effect.Effect<SqlCondition, InvalidInput> =>
  Effect.gen(function* () {
    if (filter === undefined) return { sql: "1", parameters: [], tests: [] }
    const valid = yield* Effect.fromResult(ChunkFilter.validateFilter(filter))
    const foreign = on === "documents" ? chunkField(valid) : undefined
    if (foreign !== undefined)
      return yield* refused(`the filter asks a document for "${foreign}", which only its chunks have`)
    return yield* Effect.try({
      try: () => filterSql(valid),
      // a glob that cannot be compiled
      catch: (cause) =>
        refused(`the filter cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  })
