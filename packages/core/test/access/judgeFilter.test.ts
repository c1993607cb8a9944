import { assert, describe, it } from "vitest"
import {
  array,
  assert as assertProperty,
  constantFrom,
  letrec,
  oneof,
  property,
  record,
  subarray
} from "fast-check"
import { judgeFilter } from "../../src/access/judgeFilter.ts"
import { compileFilter } from "../../src/domain/compileFilter.ts"
import { and, type ChunkFields, equals, exists, type Filter, isIn, not, or } from "../../src/domain/Filter.ts"

const value = constantFrom("a", "b", "c")
const field = constantFrom("repo", "path", "mediaType", "metadata.team")

const { filter } = letrec<{ filter: Filter }>((tie) => ({
  filter: oneof(
    { maxDepth: 4 },
    record({ field, value }).map((one) => equals(one.field, one.value)),
    record({ field, values: array(value) }).map((one) => isIn(one.field, one.values)),
    record({ field }).map((one) => exists(one.field)),
    tie("filter").map(not),
    array(tie("filter"), { maxLength: 3 }).map((parts) => and(...parts)),
    array(tie("filter"), { maxLength: 3 }).map((parts) => or(...parts))
  )
}))

const fields = record({
  repo: value,
  path: value,
  mediaType: value,
  team: oneof(value, constantFrom(undefined))
}).map(({ team, ...given }): ChunkFields => ({
  documentId: "d",
  bundle: null,
  intent: null,
  page: null,
  confidence: 1,
  metadata: team === undefined ? {} : { team },
  ...given
}))

describe("judgeFilter", () => {
  it("never says what the whole document contradicts", () => {
    const names = subarray(["repo", "path", "mediaType"] as const)
    assertProperty(
      property(filter, fields, names, (where, whole, known) => {
        const part = Object.fromEntries(known.map((name) => [name, whole[name]]))
        const judged = judgeFilter(where, part)
        if (judged !== undefined) assert.strictEqual(compileFilter(where)(whole), judged)
      }),
      { numRuns: 2_000 }
    )
  })

  it("decides what its fields decide", () => {
    const hidden = not(equals("repo", "secret"))
    assert.strictEqual(judgeFilter(hidden, { repo: "secret" }), false)
    assert.strictEqual(judgeFilter(hidden, { repo: "open" }), true)
    assert.strictEqual(judgeFilter(and(hidden, equals("metadata.team", "a")), { repo: "open" }), undefined)
    assert.strictEqual(judgeFilter(and(hidden, equals("metadata.team", "a")), { repo: "secret" }), false)
    assert.strictEqual(judgeFilter(or(hidden, equals("metadata.team", "a")), { repo: "open" }), true)
  })
})
