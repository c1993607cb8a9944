import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { judgeFilter } from "../../src/access/judgeFilter.ts"
import { compileFilter } from "../../src/domain/compileFilter.ts"
import { and, type ChunkFields, equals, exists, type Filter, isIn, not, or } from "../../src/domain/Filter.ts"

const value = fc.constantFrom("a", "b", "c")
const field = fc.constantFrom("repo", "path", "mediaType", "metadata.team")

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.record({ field, value }).map((one) => equals(one.field, one.value)),
    fc.record({ field, values: fc.array(value) }).map((one) => isIn(one.field, one.values)),
    fc.record({ field }).map((one) => exists(one.field)),
    tie("filter").map(not),
    fc.array(tie("filter"), { maxLength: 3 }).map((parts) => and(...parts)),
    fc.array(tie("filter"), { maxLength: 3 }).map((parts) => or(...parts))
  )
}))

const fields = fc
  .record({
    repo: value,
    path: value,
    mediaType: value,
    team: fc.oneof(value, fc.constantFrom(undefined))
  })
  .map(({ team, ...given }): ChunkFields => ({
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
    const names = fc.subarray(["repo", "path", "mediaType"] as const)
    fc.assert(
      fc.property(filter, fields, names, (where, whole, known) => {
        const part = Object.fromEntries(known.map((name) => [name, whole[name]]))
        const truth = compileFilter(where)(whole)
        assert.strictEqual(judgeFilter(where, part) ?? truth, truth)
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
