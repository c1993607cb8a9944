import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { tokenBuckets } from "../../src/onnx/tokenBuckets.ts"
import { splitWindows } from "../../src/onnx/windows.ts"

describe("splitWindows", () => {
  it("leaves a text that fits alone", () => {
    assert.deepStrictEqual(splitWindows(0, 10, 2), [[0, 0]])
    assert.deepStrictEqual(splitWindows(10, 10, 2), [[0, 10]])
  })

  it("spreads windows evenly instead of leaving a scrap", () => {
    assert.deepStrictEqual(splitWindows(11, 10, 2), [
      [0, 10],
      [1, 11]
    ])
    assert.deepStrictEqual(splitWindows(20, 10, 2), [
      [0, 10],
      [5, 15],
      [10, 20]
    ])
  })

  it("covers every token with full windows that share the overlap, as few as can be", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }).chain((size) =>
          fc.record({
            size: fc.constant(size),
            overlap: fc.integer({ min: 0, max: size - 1 }),
            length: fc.integer({ min: size + 1, max: 2000 })
          })
        ),
        ({ size, overlap, length }) => {
          const windows = splitWindows(length, size, overlap)
          assert.strictEqual(windows[0]?.[0], 0)
          assert.strictEqual(windows.at(-1)?.[1], length)
          windows.forEach(([start, end], index) => {
            assert.strictEqual(end - start, size)
            const previous = windows[index - 1]
            if (previous !== undefined) {
              assert.isAbove(start, previous[0])
              assert.isAtLeast(previous[1] - start, overlap)
            }
          })
          const reach = (count: number) => size + (count - 1) * (size - overlap)
          assert.isBelow(reach(windows.length - 1), length)
        }
      )
    ))
})

describe("tokenBuckets", () => {
  it("puts like lengths together", () => {
    assert.deepStrictEqual(tokenBuckets([8, 2, 8, 2, 30], 16), [[1, 3], [0, 2], [4]])
  })

  it("holds every sequence once, within the budget unless it is alone", () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 })),
        fc.integer({ min: 1, max: 200 }),
        (lengths, budget) => {
          const buckets = tokenBuckets(lengths, budget)
          assert.deepStrictEqual(
            buckets.flat().toSorted((a, b) => a - b),
            lengths.map((_, index) => index)
          )
          for (const bucket of buckets) {
            const width = Math.max(...bucket.map((index) => lengths[index] ?? 0))
            assert.isTrue(bucket.length === 1 || width * bucket.length <= budget)
          }
        }
      )
    ))
})
