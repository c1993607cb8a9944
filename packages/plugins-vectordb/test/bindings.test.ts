import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clusteredVectors } from "@omnirag/core/testing"
import { ExactIndex } from "../src/local/binding/exactBinding.ts"
import type { FlatIndex, FoundRows } from "../src/local/binding/FaissBinding.ts"
import { kthBest } from "../src/local/binding/kthBest.ts"
import { BindingMissing, loadBinding } from "../src/local/binding/loadBinding.ts"
import { bindings } from "./bindings.ts"

const dimensions = 5
const pool = clusteredVectors(60, dimensions, 3)
const vectorAt = (i: number) => pool.slice((i % 60) * dimensions, ((i % 60) + 1) * dimensions)

const byRow = (found: FoundRows) =>
  Array.from(found.rows, (row, i) => [row, found.scores[i] ?? 0] as const).toSorted((a, b) => a[0] - b[0])

/** What may happen to an index; numbers are taken modulo its rows. */
type Step =
  | { readonly do: "append"; readonly vectors: ReadonlyArray<number> }
  | { readonly do: "write"; readonly row: number; readonly vector: number }
  | { readonly do: "remove"; readonly row: number }
  | { readonly do: "search"; readonly query: number; readonly k: number; readonly every: number }

const natural = fc.nat({ max: 10_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("append" as const), vectors: fc.array(natural, { maxLength: 40 }) }),
  fc.record({ do: fc.constant("write" as const), row: natural, vector: natural }),
  fc.record({ do: fc.constant("remove" as const), row: natural }),
  fc.record({
    do: fc.constant("search" as const),
    query: natural,
    k: fc.integer({ min: 1, max: 8 }),
    every: fc.integer({ min: 1, max: 6 })
  })
)

const apply = (index: FlatIndex, one: Exclude<Step, { do: "search" }>): void => {
  if (one.do === "append")
    index.append(Float32Array.from(one.vectors.flatMap((i) => Array.from(vectorAt(i)))))
  else if (index.rows > 0 && one.do === "write") index.write(one.row % index.rows, vectorAt(one.vector))
  else if (index.rows > 0 && one.do === "remove") index.remove(one.row % index.rows)
}

describe("kthBest", () => {
  it("is the k-th of the sorted scores", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1 }),
        fc.nat({ max: 20 }),
        (scores, more) => {
          const k = more + 1
          const sorted = scores.toSorted((a, b) => b - a)
          const expected = k >= scores.length ? -Infinity : sorted[k - 1]
          assert.strictEqual(kthBest(Float32Array.from(scores), scores.length, k), expected)
        }
      )
    )
  })
})

describe("loadBinding", () => {
  it("names what to install and the store that needs nothing", () => {
    for (const { binding, skip } of bindings) {
      if (skip === undefined) {
        assert.strictEqual(loadBinding(binding).binding.name, binding)
        continue
      }
      assert.throws(() => loadBinding(binding), BindingMissing, /libfaiss-dev.*use: exact/)
    }
  })

  it("auto warns only when it ends in the plain scan", () => {
    const { binding, warning } = loadBinding("auto")
    assert.strictEqual(warning !== undefined, binding.name === "exact")
  })
})

for (const { binding, skip } of bindings)
  describe.skipIf(skip !== undefined)(`binding ${binding}${skip === undefined ? "" : ` (${skip})`}`, () => {
    it("behaves like a list of rows, whatever is done to it", () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
          const index = loadBinding(binding).binding.open(dimensions)
          const model = new ExactIndex(dimensions)
          for (const one of steps) {
            if (one.do !== "search") {
              apply(index, one)
              apply(model, one)
              continue
            }
            const picked =
              one.every === 1
                ? undefined
                : Uint32Array.from({ length: model.rows }, (_, row) => row).filter(
                    (row) => row % one.every === 0
                  )
            // queries are not among the rows, so that no two different rows tie but by equal vectors
            const query = clusteredVectors(1, dimensions, one.query)
            const found = byRow(index.search(query, one.k, picked))
            const expected = byRow(model.search(query, one.k, picked))
            assert.deepStrictEqual(
              found.map(([row]) => row),
              expected.map(([row]) => row)
            )
            for (const [i, [, score]] of expected.entries()) assert.closeTo(found[i]?.[1] ?? 9, score, 1e-6)
          }
          assert.strictEqual(index.rows, model.rows)
          const rows = new Float32Array(model.rows * dimensions)
          const expected = new Float32Array(model.rows * dimensions)
          index.read(0, rows)
          model.read(0, expected)
          assert.deepStrictEqual(rows, expected)
          index.dispose()
        }),
        { numRuns: 200 }
      )
    })
  })

describe.skipIf(bindings.find((one) => one.binding === "addon")?.skip !== undefined)(
  "the addon refuses what could reach foreign memory",
  () => {
    const { binding } = loadBinding(
      bindings.find((one) => one.binding === "addon")?.skip === undefined ? "addon" : "exact"
    )
    const filled = () => {
      const index = binding.open(2)
      index.append(Float32Array.of(1, 0, 0, 1))
      return index
    }
    const one = Float32Array.of(1, 0)

    it("dimensions", () => {
      for (const bad of [0, -1, 1.5, Number.NaN, Infinity, 65_537, 2 ** 32 + 1])
        assert.throws(() => binding.open(bad), RangeError, /dimensions must be/)
    })

    it("rows and counts", () => {
      const index = filled()
      for (const bad of [-1, 2, 0.5, Number.NaN, 2 ** 32]) {
        assert.throws(() => index.write(bad, one), RangeError)
        assert.throws(() => index.remove(bad), RangeError)
      }
      for (const bad of [0, -1, Number.NaN, 2 ** 32 + 1])
        assert.throws(() => index.search(one, bad), RangeError)
      assert.throws(() => index.search(one, 1, Uint32Array.of(0, 2)), RangeError)
      assert.throws(() => index.read(0, new Float32Array(6)), RangeError)
      assert.throws(() => index.read(2, new Float32Array(2)), RangeError)
      assert.throws(() => binding.open(2).remove(0), RangeError)
      assert.strictEqual(index.rows, 2)
    })

    it("lengths and types", () => {
      const index = filled()
      assert.throws(() => index.append(new Float32Array(3)), RangeError)
      assert.throws(() => index.write(0, new Float32Array(1)), RangeError)
      assert.throws(() => index.search(new Float32Array(3), 1), RangeError)
      assert.throws(() => index.search(new Float32Array(0), 1), RangeError)
      for (const bad of [[1, 0], new Float64Array(2), "10", null, undefined, {}])
        assert.throws(() => Reflect.apply(index.append, index, [bad]), RangeError)
      assert.throws(() => Reflect.apply(index.append, {}, [one]), TypeError)
      assert.throws(() => binding.open(65_536).reserve(2 ** 32 - 2), /bad_alloc|reserve/)
      assert.deepStrictEqual(Array.from(index.search(one, 2).rows), [0, 1])
    })

    it("no picked rows, no rows at all, and use after dispose", () => {
      const index = filled()
      assert.strictEqual(index.search(one, 5, new Uint32Array(0)).rows.length, 0)
      assert.strictEqual(binding.open(2).search(one, 5).rows.length, 0)
      index.dispose()
      assert.strictEqual(index.rows, 0)
      assert.strictEqual(index.search(one, 5).rows.length, 0)
    })
  }
)
