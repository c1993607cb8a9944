import SchemaBuilder from "@pothos/core"
import ComplexityPlugin from "@pothos/plugin-complexity"
import { GraphQLError, Kind, type ValueNode } from "graphql"
import type { Metadata } from "@omnirag/core/app"
import type { GraphQLContext } from "./context.ts"
import { apiCodes } from "./errors.ts"

/** A value a filter compares with. */
export type FilterValue = string | number | boolean

/** The builder that declares every type and field of the schema. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    DateTime: { Input: number; Output: number }
    JSON: { Input: unknown; Output: Metadata }
    FilterValue: { Input: FilterValue; Output: FilterValue }
  }
}>({
  plugins: [ComplexityPlugin],
  defaultFieldNullability: false,
  complexity: { defaultComplexity: 1, defaultListMultiplier: 10 }
})

const misfit = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: apiCodes.input } })

builder.scalarType("DateTime", {
  description: "A moment in UTC as ISO 8601: `2026-11-30T17:00:00.000Z`.",
  serialize: (value) => new Date(value).toISOString(),
  parseValue: (value) => {
    const time = typeof value === "string" ? Date.parse(value) : Number.NaN
    if (Number.isNaN(time)) throw misfit("a DateTime is an ISO 8601 string")
    return time
  }
})

builder.scalarType("JSON", {
  description: "An object of JSON values: front matter and other metadata.",
  serialize: (value) => value
})

const literal = (node: ValueNode): FilterValue => {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
      return node.value
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    default:
      throw misfit("a FilterValue is a string, a number or a boolean")
  }
}

builder.scalarType("FilterValue", {
  description: "A string, a finite number or a boolean.",
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === "string" || typeof value === "boolean") return value
    if (typeof value === "number" && Number.isFinite(value)) return value
    throw misfit("a FilterValue is a string, a number or a boolean")
  },
  parseLiteral: literal
})

builder.queryType({ description: "Reads: search, answers, and what is in the index." })
builder.mutationType({ description: "Writes: indexing runs and single documents." })
builder.subscriptionType({ description: "Live events, over WebSocket (graphql-transport-ws) or SSE." })
