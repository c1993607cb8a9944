import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { multiply, type SparseMatrix, transpose } from "../../src/lsa/SparseMatrix.ts"
import { truncatedSvd } from "../../src/lsa/truncatedSvd.ts"

const sparse = (rows: ReadonlyArray<ReadonlyArray<number>>): SparseMatrix => {
  const width = rows[0]?.length ?? 0
  const entries = rows.map((row) => row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])))
  const offsets = new Uint32Array(rows.length + 1)
  entries.forEach((row, index) => {
    offsets[index + 1] = (offsets[index] ?? 0) + row.length
  })
  return {
    rows: rows.length,
    width,
    offsets,
    columns: Uint32Array.from(entries.flat(), ({ column }) => column),
    values: Float32Array.from(entries.flat(), ({ value }) => value)
  }
}

const svd = (rows: ReadonlyArray<ReadonlyArray<number>>, dimensions = 100) =>
  truncatedSvd(sparse(rows), { dimensions, iterations: 2, seed: 1 })

const rounded = (values: Iterable<number>) => Array.from(values, (value) => Math.round(value * 1e4) / 1e4)

describe("truncatedSvd", () => {
  const diagonal = [
    [3, 0, 0],
    [0, 0, 2],
    [0, 1, 0]
  ]
  const golden = [
    [1, 1],
    [0, 1]
  ]
  const rankOne = [
    [1, 2],
    [2, 4],
    [3, 6]
  ]
  const zero = [
    [0, 0],
    [0, 0]
  ]

  it("finds singular values known in closed form, no more than asked for", () => {
    assert.deepStrictEqual(rounded(svd(diagonal).singularValues), [3, 2, 1])
    assert.deepStrictEqual(rounded(svd(golden).singularValues), [1.618, 0.618])
    assert.deepStrictEqual(rounded(svd(diagonal, 2).singularValues), [3, 2])
  })

  it("stops at the rank", () => {
    assert.deepStrictEqual(rounded(svd(rankOne).singularValues), [8.3666])
    assert.strictEqual(svd(zero).dimensions, 0)
    assert.strictEqual(svd([]).dimensions, 0)
  })

  it("gives orthonormal vectors that restore the matrix", () => {
    const matrix = fc
      .record({ rows: fc.integer({ min: 1, max: 12 }), width: fc.integer({ min: 1, max: 12 }) })
      .chain(({ rows, width }) => {
        const row = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: width, maxLength: width })
        return fc.array(row, { minLength: rows, maxLength: rows })
      })
    fc.assert(
      fc.property(matrix, (rows) => {
        const { dimensions, right, singularValues } = svd(rows)
        const vector = (index: number) =>
          Array.from({ length: right.length / dimensions }, (_, row) => right[row * dimensions + index] ?? 0)
        const vectors = Array.from({ length: dimensions }, (_, index) => vector(index))
        vectors.forEach((a, i) =>
          vectors.forEach((b, j) => {
            const product = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
            assert.approximately(product, i === j ? 1 : 0, 1e-3)
          })
        )
        // A = A·V·Vᵀ, and |A·v| is the singular value
        for (const row of rows) {
          const weights = vectors.map((v) =>
            v.reduce((sum, value, index) => sum + value * (row[index] ?? 0), 0)
          )
          row.forEach((value, column) => {
            const restored = vectors.reduce(
              (sum, v, index) => sum + (weights[index] ?? 0) * (v[column] ?? 0),
              0
            )
            assert.approximately(restored, value, 2e-2)
          })
        }
        assert.deepStrictEqual(
          [...singularValues],
          [...singularValues].toSorted((a, b) => b - a)
        )
      }),
      { numRuns: 200 }
    )
  })
})

describe("SparseMatrix", () => {
  it("multiplies and transposes", () => {
    const matrix = sparse([
      [1, 0, 2],
      [0, 3, 0]
    ])
    assert.deepStrictEqual([...multiply(matrix, Float32Array.of(1, 2, 3, 4, 5, 6), 2)], [11, 14, 9, 12])
    const turned = transpose(matrix)
    assert.deepStrictEqual([...multiply(turned, Float32Array.of(1, 10), 1)], [1, 30, 2])
    assert.deepStrictEqual(transpose(turned), matrix)
  })
})
