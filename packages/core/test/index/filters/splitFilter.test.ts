import * as fc from "fast-check"
import { anyFields, anyFilter, anyFilterCapabilities } from "@omnirag/core/testing"
import { assert, describe, it } from "vitest"
import { compileFilter } from "../../../src/domain/compileFilter.ts"
import { and, compare, equals, exists, type Filter, isIn, not, or } from "../../../src/domain/Filter.ts"
import { isPortable } from "../../../src/index/filters/filterScope.ts"
import { simplifyFilter } from "../../../src/index/filters/simplifyFilter.ts"
import { splitFilter } from "../../../src/index/filters/splitFilter.ts"
import { undeclaredPart } from "../../../src/ports/vectorStore/declaresFilter.ts"
import { allFilters } from "../../../src/ports/VectorStoreCapabilities.ts"

const rows = fc.sample(anyFields, { seed: 3, numRuns: 60 })
const matching = (filter: Filter) => rows.map(compileFilter(filter))
const nin = (field: string, values: ReadonlyArray<string>): Filter => ({
  _tag: "In",
  field,
  values,
  negated: true
})

/** Every group, negation and condition of a filter. */
const partsOf = (filter: Filter): ReadonlyArray<Filter> => {
  switch (filter._tag) {
    case "And":
    case "Or":
      return [filter, ...filter.filters.flatMap(partsOf)]
    case "Not":
      return [filter, ...partsOf(filter.filter)]
    default:
      return [filter]
  }
}

describe("simplifyFilter", () => {
  it("keeps the meaning and leaves nothing empty or doubled", () => {
    let constant = 0
    fc.assert(
      fc.property(anyFilter(), (filter) => {
        const simple = simplifyFilter(filter)
        if (typeof simple === "boolean") {
          constant++
          assert.deepStrictEqual(
            matching(filter),
            rows.map(() => simple)
          )
          return
        }
        assert.deepStrictEqual(matching(simple), matching(filter))
        for (const part of partsOf(simple)) {
          if (part._tag === "In") assert.isNotEmpty(part.values)
          if (part._tag === "Not") assert.notStrictEqual(part.filter._tag, "Not")
          if (part._tag !== "And" && part._tag !== "Or") continue
          assert.isAtLeast(part.filters.length, 2)
          assert.isTrue(part.filters.every((inner) => inner._tag !== part._tag))
        }
      }),
      { numRuns: 3000 }
    )
    assert.isAbove(constant, 100)
  })
})

describe("splitFilter", () => {
  it("pushed and rest together are the filter; pushed holds only what is declared", () => {
    const seen = { pushed: 0, rest: 0, both: 0 }
    fc.assert(
      fc.property(anyFilter(), anyFilterCapabilities, (filter, filters) => {
        const split = splitFilter(filter, filters)
        if (split === null) {
          assert.notInclude(matching(filter), true)
          return
        }
        const { pushed, rest } = split
        assert.deepStrictEqual(matching(and(...pushed, ...rest)), matching(filter))
        for (const part of pushed) {
          assert.isUndefined(undeclaredPart(filters, part))
          assert.isTrue(isPortable(part))
        }
        for (const part of rest)
          assert.isFalse(undeclaredPart(filters, part) === undefined && isPortable(part))
        if (pushed.length > 0) seen.pushed++
        if (rest.length > 0) seen.rest++
        if (pushed.length > 0 && rest.length > 0) seen.both++
      }),
      { numRuns: 5000 }
    )
    for (const times of Object.values(seen)) assert.isAbove(times, 50)
  })

  const least = {
    operators: {
      text: new Set(["eq", "in"] as const),
      number: new Set(["eq", "in"] as const),
      boolean: new Set(["eq", "in"] as const)
    },
    exists: false,
    or: false,
    not: false
  }

  it("takes a nested conjunction apart and leaves other groups whole", () => {
    const either = or(equals("repo", "a"), equals("repo", "b"))
    const glob = compare("path", "glob", "**/*.md")
    const filter = and(equals("repo", "a"), and(glob, isIn("page", [1, 2])), either)
    assert.deepStrictEqual(splitFilter(filter, least), {
      pushed: [equals("repo", "a"), isIn("page", [1, 2])],
      rest: [glob, either]
    })
    assert.deepStrictEqual(splitFilter(filter, { ...least, or: true })?.rest, [glob])
    assert.deepStrictEqual(splitFilter(filter, allFilters)?.rest, [])
  })

  it("goes by the type of the value", () => {
    const filters = {
      ...least,
      operators: { ...least.operators, number: new Set(["eq", "in", "gt"] as const) }
    }
    const [number, text] = [compare("metadata.x", "gt", 1), compare("metadata.x", "gt", "1")]
    assert.deepStrictEqual(splitFilter(and(number, text), filters), { pushed: [number], rest: [text] })
  })

  it("keeps what no other process could be sent from every store", () => {
    for (const value of [Number.NaN, Infinity, "\ud83d"])
      for (const filter of [compare("metadata.x", "ne", value), isIn("metadata.x", ["a", value])])
        assert.deepStrictEqual(splitFilter(filter, allFilters), { pushed: [], rest: [filter] })
  })

  it("knows what never holds and what always does", () => {
    assert.isNull(splitFilter(isIn("repo", []), least))
    assert.isNull(splitFilter(and(equals("repo", "a"), or()), least))
    assert.deepStrictEqual(splitFilter(not(or()), least), { pushed: [], rest: [] })
    assert.deepStrictEqual(splitFilter(nin("page", []), least), { pushed: [], rest: [exists("page")] })
  })
})
