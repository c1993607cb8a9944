import { gram, orthonormalize, symmetricEigen, timesSquare } from "./dense.ts"
import { seededRandom } from "./random.ts"
import { multiply, type SparseMatrix, transpose } from "./SparseMatrix.ts"

/** More columns are computed than requested, because the last ones converge worst. */
const oversampling = 20

export interface TruncatedSvd {
  readonly dimensions: number
  /** Largest first. */
  readonly singularValues: Float64Array
  /** Right singular vectors: `matrix.width` rows of `dimensions` values. */
  readonly right: Float32Array
}

export interface SvdOptions {
  readonly dimensions: number
  readonly iterations: number
  readonly seed: number
  /** Gives the memory for so many numbers that the right singular vectors are computed in; they are the beginning of it. */
  readonly memory?: (numbers: number) => Float32Array<ArrayBuffer>
}

/**
 * The largest singular values and right singular vectors of a sparse matrix, at most `dimensions` and no more than its
 * rank. Randomized subspace iteration (Halko, Martinsson, Tropp 2011, algorithm 4.4) from a seeded start.
 */
export const truncatedSvd = (matrix: SparseMatrix, options: SvdOptions): TruncatedSvd => {
  const count = Math.min(options.dimensions + oversampling, matrix.rows, matrix.width)
  if (count === 0) return { dimensions: 0, singularValues: new Float64Array(), right: new Float32Array() }
  const random = seededRandom(options.seed)
  const turned = transpose(matrix)
  // the same two matrices are used again and again: with many terms and texts each takes tens of megabytes
  const wide = options.memory?.(matrix.width * count) ?? new Float32Array(matrix.width * count)
  const basis = new Float32Array(matrix.rows * count)
  // uniform numbers are as good as normal deviates and are the same on every machine
  for (let index = 0; index < wide.length; index++) wide[index] = 2 * random() - 1
  orthonormalize(multiply(matrix, wide, count, basis), count)
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    multiply(turned, basis, count, wide)
    orthonormalize(multiply(matrix, wide, count, basis), count)
  }
  orthonormalize(basis, count)
  // projected = Aᵀ·Q; the eigenvectors W of its Gram matrix give V = projected · W · S⁻¹
  const projected = multiply(turned, basis, count, wide)
  const { values, vectors } = symmetricEigen(gram(projected, count), count)
  const floor = Math.max(values[0] ?? 0, 0) * 1e-9
  let dimensions = 0
  while (dimensions < Math.min(count, options.dimensions) && (values[dimensions] ?? 0) > floor) dimensions++
  const singularValues = values.slice(0, dimensions).map(Math.sqrt)
  const scaled = new Float64Array(count * dimensions)
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < dimensions; column++) {
      scaled[row * dimensions + column] = (vectors[row * count + column] ?? 0) / (singularValues[column] ?? 1)
    }
  }
  return { dimensions, singularValues, right: timesSquare(projected, count, scaled, dimensions) }
}
