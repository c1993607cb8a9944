import { CholeskyDecomposition, EigenvalueDecomposition, inverse, Matrix } from "ml-matrix"

/**
 * Dense linear algebra on few columns. Decompositions of square matrices of `count` rows are ml-matrix's. The products
 * with row-major matrices of `count` columns and very many rows are made here, in place on 32-bit values with sums in
 * double precision: the library needs two copies of 64-bit values and two to four times as long. Indices are in bounds
 * by construction: `as number` says so to the compiler without a check in the inner loops.
 */

/** `matrixᵀ · matrix`, `count` by `count`. */
export const gram = (matrix: Float32Array, count: number): Float64Array => {
  const product = new Float64Array(count * count)
  const step = 4 * count
  const padded = Math.ceil(matrix.length / step) * step
  const block = new Float64Array(step)
  // four rows at a time: the product is read and written a quarter as often
  for (let start = 0; start < padded; start += step) {
    block.fill(0)
    block.set(matrix.subarray(start, Math.min(start + step, matrix.length)))
    for (let row = 0; row < count; row++) {
      const a = block[row] as number
      const b = block[count + row] as number
      const c = block[2 * count + row] as number
      const d = block[3 * count + row] as number
      if (a === 0 && b === 0 && c === 0 && d === 0) continue
      for (let column = row; column < count; column++) {
        product[row * count + column] =
          (product[row * count + column] as number) +
          a * (block[column] as number) +
          b * (block[count + column] as number) +
          c * (block[2 * count + column] as number) +
          d * (block[3 * count + column] as number)
      }
    }
  }
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < row; column++)
      product[row * count + column] = product[column * count + row] as number
  }
  return product
}

/**
 * `matrix · square`, where `square` has `count` rows of `width` ≤ `count` values; all 0 below the diagonal when
 * `upper`. The result overwrites the beginning of `matrix`, because that is large; returns that part of it.
 */
export const timesSquare = (
  matrix: Float32Array,
  count: number,
  square: Float64Array,
  width: number,
  upper = false
): Float32Array => {
  const rows = matrix.length / count
  const product = matrix.subarray(0, rows * width)
  const sums = new Float64Array(4 * width)
  // four rows at a time: the square is read a quarter as often; rows past the end are 0. Rows are read before they are
  // overwritten, since a row of the product is not longer
  const block = new Float64Array(4 * count)
  for (let row = 0; row < rows; row += 4) {
    const present = Math.min(4, rows - row)
    block.fill(0)
    block.set(matrix.subarray(row * count, (row + present) * count))
    sums.fill(0)
    for (let inner = 0; inner < count; inner++) {
      const a = block[inner] as number
      const b = block[count + inner] as number
      const c = block[2 * count + inner] as number
      const d = block[3 * count + inner] as number
      for (let column = upper ? inner : 0; column < width; column++) {
        const factor = square[inner * width + column] as number
        sums[column] = (sums[column] as number) + a * factor
        sums[width + column] = (sums[width + column] as number) + b * factor
        sums[2 * width + column] = (sums[2 * width + column] as number) + c * factor
        sums[3 * width + column] = (sums[3 * width + column] as number) + d * factor
      }
    }
    product.set(sums.subarray(0, present * width), row * width)
  }
  return product
}

/** A pivot or an eigenvalue below this share of the largest is what rounding leaves of 0. */
const negligible = 1e-10

/**
 * Eigenvalues, largest first, and eigenvectors (column `j` of `vectors` belongs to value `j`) of a symmetric matrix of
 * `count` rows.
 */
export const symmetricEigen = (
  symmetric: Float64Array,
  count: number
): { readonly values: Float64Array; readonly vectors: Float64Array } => {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(
    Matrix.from1DArray(count, count, symmetric),
    { assumeSymmetric: true }
  )
  // the library gives them smallest first
  const vectors = new Float64Array(count * count)
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++)
      vectors[row * count + column] = eigenvectorMatrix.get(row, count - 1 - column)
  }
  return { values: Float64Array.from(realEigenvalues.toReversed()), vectors }
}

/** The upper triangular `R⁻¹` with `gram = Rᵀ · R`; undefined when the columns depend on each other. */
const triangularFactor = (product: Float64Array, count: number): Float64Array | undefined => {
  const cholesky = new CholeskyDecomposition(Matrix.from1DArray(count, count, product))
  if (!cholesky.isPositiveDefinite()) return undefined
  const lower = cholesky.lowerTriangularMatrix
  let largest = 0
  for (let index = 0; index < count; index++)
    largest = Math.max(largest, product[index * count + index] as number)
  const pivots = lower.diagonal()
  if (pivots.some((pivot) => pivot * pivot <= largest * negligible)) return undefined
  return Float64Array.from(inverse(lower.transpose()).to1DArray())
}

/**
 * An orthonormal basis of the columns, written over `matrix`, by Cholesky factorisation of the Gram matrix (CholeskyQR).
 * Where columns depend on each other, by its eigenvectors; as many columns as the rank has less are zero then.
 */
export const orthonormalize = (matrix: Float32Array, count: number): Float32Array => {
  const product = gram(matrix, count)
  const factor = triangularFactor(product, count)
  if (factor !== undefined) return timesSquare(matrix, count, factor, count, true)
  const { values, vectors } = symmetricEigen(product, count)
  const floor = Math.max(values[0] ?? 0, 0) * negligible
  const lengths = values.map((value) => (value > floor ? 1 / Math.sqrt(value) : 0))
  const scaled = vectors.map((value, index) => value * (lengths[index % count] as number))
  return timesSquare(matrix, count, scaled, count)
}
