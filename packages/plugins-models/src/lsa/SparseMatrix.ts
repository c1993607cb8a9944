// Indices are within bounds by construction: `as number` tells the compiler so without a check in the inner loops.

/** A matrix by compressed rows: row `i` has the entries `offsets[i] … offsets[i + 1]` of `columns` and `values`. */
export interface SparseMatrix {
  readonly rows: number
  readonly width: number
  readonly offsets: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
}

/** `matrix · right`, where `right` has `matrix.width` rows of `count` values; written into `product` when given. */
export const multiply = (
  matrix: SparseMatrix,
  right: Float32Array,
  count: number,
  product = new Float32Array(matrix.rows * count)
): Float32Array => {
  const { rows, offsets, columns, values } = matrix
  const sums = new Float64Array(count)
  for (let row = 0; row < rows; row++) {
    sums.fill(0)
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const value = values[entry] as number
      const base = (columns[entry] as number) * count
      for (let index = 0; index < count; index++)
        sums[index] = (sums[index] as number) + value * (right[base + index] as number)
    }
    product.set(sums, row * count)
  }
  return product
}

/** The transpose, so that both products run over rows. */
export const transpose = (matrix: SparseMatrix): SparseMatrix => {
  const { rows, width, offsets, columns, values } = matrix
  const starts = new Uint32Array(width + 1)
  for (const column of columns) starts[column + 1] = (starts[column + 1] as number) + 1
  for (let column = 0; column < width; column++)
    starts[column + 1] = (starts[column + 1] as number) + (starts[column] as number)
  const next = starts.slice()
  const turnedColumns = new Uint32Array(columns.length)
  const turnedValues = new Float32Array(columns.length)
  for (let row = 0; row < rows; row++) {
    for (let entry = offsets[row] as number; entry < (offsets[row + 1] as number); entry++) {
      const column = columns[entry] as number
      const place = next[column] as number
      next[column] = place + 1
      turnedColumns[place] = row
      turnedValues[place] = values[entry] as number
    }
  }
  return { rows: width, width: rows, offsets: starts, columns: turnedColumns, values: turnedValues }
}
