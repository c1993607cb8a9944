/**
 * Dense linear algebra on the shapes of `lsa`, in one process: what the embedder uses beside what ml-matrix offers for
 * the same. Processor time and errors.
 *
 *     node research/libraries/decompositions.ts [rows, 20000 unless given] [columns, 216 unless given]
 */
import { EigenvalueDecomposition, Matrix, QrDecomposition } from "ml-matrix"
import {
  gram,
  orthonormalize,
  symmetricEigen,
  timesSquare
} from "../../packages/plugins-models/src/lsa/dense.ts"
import { seededRandom } from "../../packages/plugins-models/src/lsa/random.ts"

const rows = Number(process.argv[2] ?? 20_000)
const columns = Number(process.argv[3] ?? 216)
const random = seededRandom(1)
/** Columns that fall in size and have something in common, as those of a projected corpus do. */
const matrix = new Float32Array(rows * columns)
for (let row = 0; row < rows; row++) {
  const common = random() - 0.5
  for (let column = 0; column < columns; column++)
    matrix[row * columns + column] = (2 * random() - 1) / (1 + column / 20) + common
}

const measured = <A>(name: string, body: () => A): A => {
  const before = process.cpuUsage()
  const result = body()
  const { system, user } = process.cpuUsage(before)
  console.log(name.padEnd(40), `${((system + user) / 1000).toFixed(0)} ms`)
  return result
}

/** The largest difference between `QᵀQ` and the unit matrix. */
const skew = (basis: Float32Array): number =>
  gram(basis, columns).reduce(
    (worst, value, index) => Math.max(worst, Math.abs(value - (index % (columns + 1) === 0 ? 1 : 0))),
    0
  )

const asMatrix = () => Matrix.from1DArray(rows, columns, matrix)
const square = gram(matrix, columns)
const squareMatrix = Matrix.from1DArray(columns, columns, square)

for (let round = 1; round <= 3; round++) {
  const basis = measured("basis: product here, Cholesky ml-matrix", () =>
    orthonormalize(matrix.slice(), columns)
  )
  const householder = measured("basis: ml-matrix QR", () =>
    Float32Array.from(new QrDecomposition(asMatrix()).orthogonalMatrix.to1DArray())
  )
  measured("Gram matrix: here", () => gram(matrix, columns))
  measured("Gram matrix: ml-matrix", () => {
    const copy = asMatrix()
    return copy.transpose().mmul(copy)
  })
  measured("times a square: here", () => timesSquare(matrix.slice(), columns, square, columns))
  measured("times a square: ml-matrix", () => asMatrix().mmul(squareMatrix))
  const here = measured("eigenvectors: as used, sorted", () => symmetricEigen(square, columns))
  const library = measured("eigenvectors: ml-matrix", () => new EigenvalueDecomposition(squareMatrix))
  console.log("skew of the basis:", skew(basis), "of QR:", skew(householder))
  console.log("largest eigenvalue:", here.values[0], Math.max(...library.realEigenvalues))
}
