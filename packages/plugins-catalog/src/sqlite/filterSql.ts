import { ChunkFilter, type Filter, type Scalar } from "@omnirag/core/plugin"
import type { SQLInputValue } from "node:sqlite"
import type { TextTest } from "./CatalogDatabase.ts"

/** A filter as an SQL expression over `documents d` and, for chunks, `chunks c`; always 0 or 1, never null. */
export interface SqlCondition {
  readonly sql: string
  readonly parameters: ReadonlyArray<SQLInputValue>
  /** What `text_test` stands for while the statement runs. */
  readonly tests: ReadonlyArray<TextTest>
}

/** A filter on one field. */
type Condition = Extract<Filter, { readonly field: string }>

interface Column {
  readonly name: string
  readonly type: "text" | "number"
  readonly nullable: boolean
}

const columns: Readonly<Record<string, Column>> = {
  documentId: { name: "d.id", type: "text", nullable: false },
  repo: { name: "d.source", type: "text", nullable: false },
  bundle: { name: "d.bundle", type: "text", nullable: true },
  path: { name: "d.path", type: "text", nullable: false },
  mediaType: { name: "d.media_type", type: "text", nullable: false },
  intent: { name: "c.intent", type: "text", nullable: true },
  page: { name: "c.page", type: "number", nullable: true },
  confidence: { name: "c.confidence", type: "number", nullable: false }
}

const symbols = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const
const kinds = { string: "s", number: "n", boolean: "b" } as const
const kindOf = (value: Scalar): "s" | "n" | "b" =>
  kinds[typeof value === "string" ? "string" : typeof value === "number" ? "number" : "boolean"]
const bound = (value: Scalar): SQLInputValue => (typeof value === "boolean" ? Number(value) : value)

/** What SQL can bind and get back unchanged: NaN becomes null there, and half a surrogate pair U+FFFD. */
const bindable = (value: Scalar): boolean =>
  typeof value === "string" ? value.isWellFormed() : !Number.isNaN(value)

/** Balanced, as SQLite bounds the depth of an expression. */
const joined = (parts: ReadonlyArray<string>, operator: "AND" | "OR", none: "0" | "1"): string => {
  if (parts.length === 0) return none
  if (parts.length === 1) return parts[0] ?? none
  const half = parts.length >> 1
  return `(${joined(parts.slice(0, half), operator, none)} ${operator} ${joined(parts.slice(half), operator, none)})`
}

/**
 * Translates a filter with exactly the meaning of `compileFilter`. Globs, prefixes and the order of texts go to
 * `text_test`: SQL has other wildcards, stops at NUL, and orders by code points where JavaScript orders UTF-16 units.
 */
export const filterSql = (filter: Filter): SqlCondition => {
  const parameters: Array<SQLInputValue> = []
  const tests: Array<TextTest> = []

  const textTest = (name: string, test: TextTest): string => {
    parameters.push(tests.push(test) - 1)
    return `text_test(?, ${name})`
  }
  const equalTo = (name: string, values: ReadonlyArray<Scalar>): string => {
    parameters.push(...values.map(bound))
    return values.length === 1 ? `${name} = ?` : `${name} IN (${values.map(() => "?").join(", ")})`
  }

  /** The comparison of values of one type that are there, or undefined when it never holds for that type. */
  const comparison = (
    name: string,
    type: "text" | "number",
    operator: Exclude<ChunkFilter.ComparisonOperator, "eq" | "ne">,
    value: Scalar
  ): string | undefined => {
    if (operator === "prefix" || operator === "glob") {
      if (type !== "text") return undefined
      const pattern = String(value)
      return textTest(
        name,
        operator === "glob" ? ChunkFilter.globMatcher(pattern) : (text) => text.startsWith(pattern)
      )
    }
    if (type === "number") {
      if (typeof value !== "number" || !bindable(value)) return undefined
      parameters.push(value)
      return `${name} ${symbols[operator]} ?`
    }
    if (typeof value !== "string") return undefined
    switch (operator) {
      case "gt":
        return textTest(name, (text) => text > value)
      case "gte":
        return textTest(name, (text) => text >= value)
      case "lt":
        return textTest(name, (text) => text < value)
      case "lte":
        return textTest(name, (text) => text <= value)
    }
  }

  const present = (column: Column, is = true): string =>
    column.nullable ? `(${column.name} IS ${is ? "NOT " : ""}NULL)` : is ? "1" : "0"
  const guarded = (column: Column, sql: string): string =>
    column.nullable ? `(${column.name} IS NOT NULL AND ${sql})` : `(${sql})`

  const onColumn = (part: Condition, column: Column): string => {
    const inside = (values: ReadonlyArray<Scalar>, negated: boolean): string => {
      const usable = values.filter(
        (value) => typeof value === (column.type === "text" ? "string" : "number") && bindable(value)
      )
      if (usable.length === 0) return negated ? present(column) : "0"
      return guarded(column, `${negated ? "NOT " : ""}(${equalTo(column.name, usable)})`)
    }
    switch (part._tag) {
      case "Exists":
        return present(column, part.exists)
      case "In":
        return inside(part.values, part.negated)
      default: {
        if (part.operator === "eq" || part.operator === "ne")
          return inside([part.value], part.operator === "ne")
        const sql = comparison(column.name, column.type, part.operator, part.value)
        return sql === undefined ? "0" : guarded(column, sql)
      }
    }
  }

  const onMetadata = (part: Condition): string => {
    const withKey = (build: () => string): string => {
      parameters.push(part.field.slice("metadata.".length))
      return `(d.key IN (SELECT m.document FROM metadata_values m WHERE m.key = ?${build()}))`
    }
    const there = (): string => withKey(() => "")
    const inside = (values: ReadonlyArray<Scalar>, negated: boolean): string => {
      const usable = values.filter(bindable)
      if (usable.length === 0) return negated ? there() : "0"
      const required = negated ? `${there()} AND NOT ` : ""
      const found = withKey(() => {
        const perKind = Map.groupBy(usable, kindOf)
        const parts = [...perKind].map(
          ([kind, same]) => `(m.kind = '${kind}' AND ${equalTo("m.value", same)})`
        )
        return ` AND (${parts.join(" OR ")})`
      })
      return `(${required}${found})`
    }
    switch (part._tag) {
      case "Exists":
        return part.exists ? there() : `(NOT ${there()})`
      case "In":
        return inside(part.values, part.negated)
      default: {
        const { operator, value } = part
        if (operator === "eq" || operator === "ne") return inside([value], operator === "ne")
        const asText = operator === "prefix" || operator === "glob" || typeof value === "string"
        if (!asText && (typeof value !== "number" || !bindable(value))) return "0"
        return withKey(() => {
          const sql = comparison("m.value", asText ? "text" : "number", operator, value)
          return ` AND m.kind = '${asText ? "s" : "n"}' AND ${sql ?? "0"}`
        })
      }
    }
  }

  const translate = (part: Filter): string => {
    switch (part._tag) {
      case "And":
        return joined(part.filters.map(translate), "AND", "1")
      case "Or":
        return joined(part.filters.map(translate), "OR", "0")
      case "Not":
        return `(NOT ${translate(part.filter)})`
      default: {
        const column = columns[part.field]
        return column === undefined ? onMetadata(part) : onColumn(part, column)
      }
    }
  }

  return { sql: translate(filter), parameters, tests }
}
