/**
 * Dense linear algebra on few columns: row-major matrices of `count` columns with very many rows, and square matrices
 * of `count` rows. Sums are in double precision. Indices are within bounds by construction: `as number` tells the
 * compiler so without a check in the inner loops.
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

/**
 * An orthonormal basis of the columns, by Cholesky factorisation of the Gram matrix (CholeskyQR); it overwrites
 * `matrix`. A column that depends on those before it becomes zero.
 */
export const orthonormalize = (matrix: Float32Array, count: number): Float32Array => {
  const product = gram(matrix, count)
  let largest = 0
  for (let index = 0; index < count; index++)
    largest = Math.max(largest, product[index * count + index] as number)
  const tolerance = largest * 1e-10
  // lower factor L with gram = L · Lᵀ; with a pivot below the tolerance, its row and column are left out
  const lower = new Float64Array(count * count)
  for (let row = 0; row < count; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = product[row * count + column] as number
      for (let inner = 0; inner < column; inner++) {
        sum -= (lower[row * count + inner] as number) * (lower[column * count + inner] as number)
      }
      const pivot = lower[column * count + column] as number
      if (row === column) lower[row * count + row] = sum > tolerance ? Math.sqrt(sum) : 0
      else lower[row * count + column] = pivot === 0 ? 0 : sum / pivot
    }
  }
  // the inverse of Lᵀ, upper triangular, by columns
  const inverse = new Float64Array(count * count)
  for (let column = 0; column < count; column++) {
    const pivot = lower[column * count + column] as number
    if (pivot === 0) continue
    inverse[column * count + column] = 1 / pivot
    for (let row = column - 1; row >= 0; row--) {
      const diagonal = lower[row * count + row] as number
      if (diagonal === 0) continue
      let sum = 0
      for (let inner = row + 1; inner <= column; inner++) {
        sum += (lower[inner * count + row] as number) * (inverse[inner * count + column] as number)
      }
      inverse[row * count + column] = -sum / diagonal
    }
  }
  return timesSquare(matrix, count, inverse, count, true)
}

/**
 * Eigenvalues, largest first, and eigenvectors (column `j` of `vectors` belongs to value `j`) of a symmetric matrix, by
 * cyclic Jacobi rotations.
 */
export const symmetricEigen = (
  symmetric: Float64Array,
  count: number
): { readonly values: Float64Array; readonly vectors: Float64Array } => {
  const matrix = symmetric.slice()
  // rows are the vectors while rotating: contiguous
  const rotated = new Float64Array(count * count)
  for (let index = 0; index < count; index++) rotated[index * count + index] = 1
  let scale = 0
  for (const value of matrix) scale += value * value
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0
    for (let row = 0; row < count; row++) {
      for (let column = row + 1; column < count; column++)
        off += (matrix[row * count + column] as number) ** 2
    }
    if (off <= scale * 1e-22) break
    for (let p = 0; p < count; p++) {
      for (let q = p + 1; q < count; q++) {
        const pq = matrix[p * count + q] as number
        if (pq * pq <= scale * 1e-30) continue
        const theta = ((matrix[q * count + q] as number) - (matrix[p * count + p] as number)) / (2 * pq)
        const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const cosine = 1 / Math.sqrt(tangent * tangent + 1)
        const sine = tangent * cosine
        for (let index = 0; index < count; index++) {
          const a = matrix[index * count + p] as number
          const b = matrix[index * count + q] as number
          matrix[index * count + p] = cosine * a - sine * b
          matrix[index * count + q] = sine * a + cosine * b
        }
        for (let index = 0; index < count; index++) {
          const a = matrix[p * count + index] as number
          const b = matrix[q * count + index] as number
          matrix[p * count + index] = cosine * a - sine * b
          matrix[q * count + index] = sine * a + cosine * b
          const c = rotated[p * count + index] as number
          const d = rotated[q * count + index] as number
          rotated[p * count + index] = cosine * c - sine * d
          rotated[q * count + index] = sine * c + cosine * d
        }
      }
    }
  }
  const order = Array.from({ length: count }, (_, index) => index).toSorted(
    (left, right) => (matrix[right * count + right] as number) - (matrix[left * count + left] as number)
  )
  const values = new Float64Array(count)
  const vectors = new Float64Array(count * count)
  order.forEach((from, to) => {
    values[to] = matrix[from * count + from] as number
    for (let index = 0; index < count; index++)
      vectors[index * count + to] = rotated[from * count + index] as number
  })
  return { values, vectors }
}
