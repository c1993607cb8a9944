import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as fc from "fast-check"
import { anyFields, anyFilter, anyFilterCapabilities, chunkFields } from "@omnirag/core/testing"
import { compileFilter } from "../../../src/domain/compileFilter.ts"
import { and, type ChunkFields, compare, equals, type Filter, isIn, not } from "../../../src/domain/Filter.ts"
import type { FilterPlan } from "../../../src/index/filters/FilterPlan.ts"
import { planFilter } from "../../../src/index/filters/planFilter.ts"
import { allFilters, type VectorStoreCapabilities } from "../../../src/ports/VectorStoreCapabilities.ts"
import { memoryFilterCatalog } from "../../../src/testing/memoryFilterCatalog.ts"

type Rows = ReadonlyMap<string, ChunkFields>
type Filters = VectorStoreCapabilities["filters"]

const storeWith = (filters: Filters) => ({
  name: "double",
  capabilities: {
    filters,
    search: "exact",
    listing: "none",
    counting: "exact",
    consistency: "immediate"
  } as const
})
const equality = new Set(["eq", "in"] as const)
const least: Filters = {
  operators: { text: equality, number: equality, boolean: equality },
  exists: false,
  or: false,
  not: false
}

/** The rows that a query with this plan is limited to. */
const rowsOf = (rows: Rows, plan: Option.Option<FilterPlan>): ReadonlyArray<string> => {
  if (Option.isNone(plan)) return []
  const { ids, where } = plan.value
  const test = where === undefined ? () => true : compileFilter(where)
  return [...rows].filter(([id, fields]) => (ids?.includes(id) ?? true) && test(fields)).map(([id]) => id)
}

/** Rows whose document decides all fields but page, intent and confidence, as in a catalog. */
const someRows = (fields: ReadonlyArray<ChunkFields>): Rows =>
  new Map(
    fields.map((chunk, n) => {
      const document = fields.find(({ documentId }) => documentId === chunk.documentId) ?? chunk
      const { confidence, intent, page } = chunk
      return [`chunk-${n}`, { ...document, confidence, intent, page }] as const
    })
  )

describe("planFilter", () => {
  it.effect("any filter on any store means what compileFilter says", () =>
    Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context())
      const seen = { ids: 0, where: 0, none: 0 }
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(anyFields, { minLength: 1, maxLength: 12 }),
            anyFilter(),
            anyFilterCapabilities,
            async (fields, where, filters) => {
              const rows = someRows(fields)
              const plan = await run(planFilter(where, storeWith(filters), memoryFilterCatalog(rows)))
              const test = compileFilter(where)
              const expected = [...rows].filter(([, one]) => test(one)).map(([id]) => id)
              assert.deepStrictEqual(rowsOf(rows, plan), expected)
              if (Option.isNone(plan)) seen.none++
              else if (plan.value.ids !== undefined) seen.ids++
              else if (plan.value.where !== undefined) seen.where++
            }
          ),
          { numRuns: 3000 }
        )
      )
      for (const times of Object.values(seen)) assert.isAbove(times, 100)
    })
  )

  it.effect("with a small bound every plan keeps to it, and is right or refused", () =>
    Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context())
      let refused = 0
      let complements = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(anyFields, { minLength: 4, maxLength: 12 }),
            anyFilter(fc.constantFrom("repo", "path", "bundle", "page", "metadata.one")),
            anyFilterCapabilities,
            async (fields, where, filters) => {
              const rows = someRows(fields)
              const outcome = await run(
                Effect.result(planFilter(where, storeWith(filters), memoryFilterCatalog(rows), 1))
              )
              const test = compileFilter(where)
              const expected = [...rows].filter(([, one]) => test(one)).map(([id]) => id)
              if (outcome._tag === "Failure") {
                assert.strictEqual(outcome.failure._tag, "FilterTooBroad")
                assert.isAbove(expected.length, 1)
                refused++
                return
              }
              assert.deepStrictEqual(rowsOf(rows, outcome.success), expected)
              const plan = Option.getOrElse(outcome.success, (): FilterPlan => ({}))
              assert.isAtMost(plan.ids?.length ?? 0, 1)
              if (JSON.stringify(plan.where)?.includes('"documentId"') === true && expected.length > 1)
                complements++
            }
          ),
          { numRuns: 3000 }
        )
      )
      assert.isAbove(refused, 50)
      assert.isAbove(complements, 20)
    })
  )

  const rows: Rows = new Map(
    Array.from({ length: 6 }, (_, n) => [
      `c${n}`,
      chunkFields({ documentId: `d${n}`, repo: n < 4 ? "a" : "b", path: `${n}.md`, page: n % 2 })
    ])
  )
  const plan = (where: Filter, filters: Filters, limit: number) =>
    planFilter(where, storeWith(filters), memoryFilterCatalog(rows), limit)
  const below = (n: number) => compare("path", "lt", `${n}.md`)

  it.effect("conditions on documents become documents, conditions on chunks become chunks", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* plan(and(equals("repo", "a"), below(2)), least, 10),
        Option.some({ where: and(equals("repo", "a"), isIn("documentId", ["d0", "d1"])) })
      )
      assert.deepStrictEqual(
        yield* plan(and(equals("repo", "a"), compare("page", "gt", 0)), least, 10),
        Option.some({ where: equals("repo", "a"), ids: ["c1", "c3"] })
      )
      assert.deepStrictEqual(yield* plan(below(0), least, 10), Option.none())
    })
  )

  it.effect("what the store evaluates costs the catalog nothing", () =>
    Effect.gen(function* () {
      const never = Effect.die(new Error("the catalog was asked"))
      const catalog = { documents: { matching: () => never }, chunks: { matching: () => never } }
      const where = and(below(2), not(compare("page", "gte", 1)))
      assert.deepStrictEqual(yield* planFilter(where, storeWith(allFilters), catalog), Option.some({ where }))
      assert.deepStrictEqual(yield* planFilter(undefined, storeWith(least), catalog), Option.some({}))
    })
  )

  it.effect("the conditions that the store evaluates narrow the rest", () =>
    Effect.gen(function* () {
      const broad = not(equals("path", "5.md"))
      assert.deepStrictEqual(
        yield* plan(and(broad, equals("repo", "b")), least, 1),
        Option.some({ where: and(equals("repo", "b"), isIn("documentId", ["d4"])) })
      )
      // as many documents as before, but few chunks
      assert.deepStrictEqual(
        yield* plan(and(below(3), equals("page", 1)), least, 1),
        Option.some({ where: equals("page", 1), ids: ["c1"] })
      )
    })
  )

  it.effect("a condition that holds for most documents names those it does not hold for", () =>
    Effect.gen(function* () {
      const others: Filter = { _tag: "In", field: "documentId", values: ["d5"], negated: true }
      const text = new Set(["eq", "in", "nin"] as const)
      assert.deepStrictEqual(
        yield* plan(below(5), { ...least, operators: { ...least.operators, text } }, 3),
        Option.some({ where: others })
      )
      assert.deepStrictEqual(
        yield* plan(below(5), { ...least, not: true }, 3),
        Option.some({ where: not(isIn("documentId", ["d5"])) })
      )
      // all of those that are left after the pushed conditions
      assert.deepStrictEqual(
        yield* plan(and(below(4), equals("repo", "a")), { ...least, not: true }, 3),
        Option.some({ where: equals("repo", "a") })
      )
    })
  )

  it.effect("beyond the bound it says what, how many at least, and what to do", () =>
    Effect.gen(function* () {
      const ofDocuments = yield* Effect.flip(plan(below(5), least, 3))
      assert.strictEqual(ofDocuments._tag, "FilterTooBroad")
      assert.strictEqual(ofDocuments.code, "FILTER_TOO_BROAD")
      assert.match(ofDocuments.message, /double cannot evaluate `path lt "5.md"`.* at least 4 documents/)
      assert.match(ofDocuments.message, /Narrow the filter.*choose a vector store/)
      const ofChunks = yield* Effect.flip(plan(compare("page", "lte", 1), least, 3))
      assert.match(ofChunks.message, /`page lte 1`.* at least 4 chunks/)
    })
  )

  it.effect("a filter as deep as a filter may be is resolved or refused, never a fault of the catalog", () =>
    Effect.gen(function* () {
      let deep: Filter = below(3)
      for (let depth = 1; depth < 16; depth++)
        deep = depth % 2 === 0 ? not(deep) : and(deep, compare("path", "ne", "none"))
      assert.strictEqual((yield* plan(deep, { ...least, not: true }, 10))._tag, "Some")
      const refused = yield* Effect.flip(plan(deep, { ...least, not: true }, 1))
      assert.strictEqual(refused._tag, "FilterTooBroad")
    })
  )
})
