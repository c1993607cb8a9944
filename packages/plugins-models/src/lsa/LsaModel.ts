import { analyze, queryTerms } from "@omnirag/core/language"

/** What is learned from a corpus: for each term a weight and a row of the projection. */
export interface LsaModel {
  readonly terms: ReadonlyArray<string>
  readonly dimensions: number
  /** Global weight of each term. */
  readonly weights: Float32Array
  /** Right singular vectors: a row of `dimensions` values for each term. */
  readonly projection: Float32Array
}

/** Local weight of a term that occurs `count` times in a text. */
export const localWeight = (count: number): number => 1 + Math.log(count)

/** Turns texts into unit vectors with a model; a text without a known term gets the zero vector. */
export type Projector = (text: string, role: "query" | "document", into: Float32Array, offset: number) => void

/**
 * Projects texts into the space of a model: weighted term counts times the right singular vectors, scaled to length 1.
 */
export const makeProjector = ({ terms, dimensions, weights, projection }: LsaModel): Projector => {
  const rows = new Map(terms.map((term, row) => [term, row]))
  const sums = new Float64Array(dimensions)
  return (text, role, into, offset) => {
    const counts = new Map<number, number>()
    for (const term of role === "query" ? queryTerms(text) : analyze(text)) {
      const row = rows.get(term)
      if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + 1)
    }
    sums.fill(0)
    for (const [row, count] of counts) {
      const weight = localWeight(count) * (weights[row] ?? 0)
      const base = row * dimensions
      for (let index = 0; index < dimensions; index++) {
        sums[index] = (sums[index] ?? 0) + weight * (projection[base + index] ?? 0)
      }
    }
    let square = 0
    for (const sum of sums) square += sum * sum
    // when a text is orthogonal to everything learned, only rounding errors are left, and these are not a direction
    const length = square < 1e-18 ? 0 : Math.sqrt(square)
    for (let index = 0; index < dimensions; index++) {
      into[offset + index] = length === 0 ? 0 : (sums[index] ?? 0) / length
    }
  }
}
