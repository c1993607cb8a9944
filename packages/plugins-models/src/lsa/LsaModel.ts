import { analyze, queryTerms } from "@omnirag/core/language"
import type { CountedCorpus } from "./TermCounter.ts"
import { type SvdOptions, truncatedSvd } from "./truncatedSvd.ts"

/** What is learned from a corpus: for each term a weight and a row of the projection. */
export interface LsaModel {
  readonly terms: ReadonlyArray<string>
  readonly dimensions: number
  /** Global weight of each term. */
  readonly weights: Float32Array
  /** Right singular vectors: a row of `dimensions` values for each term. */
  readonly projection: Float32Array
}

/** Local weight of a term that stands `count` times in a text. */
const local = (count: number): number => 1 + Math.log(count)

/**
 * Global weights by entropy: 1 for a term that stands in one text, near 0 for one spread evenly over all (Dumais 1991,
 * "Improving the retrieval of information from external sources").
 */
const entropyWeights = ({ terms, counts }: CountedCorpus): Float32Array => {
  const total = new Float64Array(terms.length)
  counts.values.forEach((value, entry) => {
    const column = counts.columns[entry] ?? 0
    total[column] = (total[column] ?? 0) + value
  })
  const entropy = new Float64Array(terms.length)
  counts.values.forEach((value, entry) => {
    const column = counts.columns[entry] ?? 0
    const share = value / (total[column] ?? 1)
    entropy[column] = (entropy[column] ?? 0) - share * Math.log(share)
  })
  // never 0 or below: in a corpus of one text every term is spread over all of it
  const scale = Math.log(Math.max(counts.rows, 2))
  return Float32Array.from(entropy, (value) => Math.max(1 - value / scale, 1e-3))
}

/**
 * Latent semantic analysis (Deerwester et al. 1990): log-entropy weights, texts scaled to length 1, truncated singular
 * value decomposition. A corpus without terms gives a model of one dimension that knows nothing.
 */
export const fitModel = (corpus: CountedCorpus, options: SvdOptions): LsaModel => {
  const weights = entropyWeights(corpus)
  const { counts } = corpus
  const values = new Float32Array(counts.values.length)
  for (let row = 0; row < counts.rows; row++) {
    const start = counts.offsets[row] ?? 0
    const end = counts.offsets[row + 1] ?? 0
    let square = 0
    for (let entry = start; entry < end; entry++) {
      const value = local(counts.values[entry] ?? 1) * (weights[counts.columns[entry] ?? 0] ?? 0)
      values[entry] = value
      square += value * value
    }
    const length = Math.sqrt(square)
    for (let entry = start; entry < end; entry++) values[entry] = (values[entry] ?? 0) / length
  }
  const { dimensions, right } = truncatedSvd({ ...counts, values }, options)
  return dimensions === 0
    ? { terms: [], dimensions: 1, weights: new Float32Array(), projection: new Float32Array() }
    : { terms: corpus.terms, dimensions, weights, projection: right }
}

/** Texts to unit vectors by a model; a text without a known term gets the zero vector. */
export type Projector = (text: string, role: "query" | "document", into: Float32Array, offset: number) => void

/** Folds texts into the space of a model: weighted term counts times the right singular vectors, scaled to length 1. */
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
      const weight = local(count) * (weights[row] ?? 0)
      const base = row * dimensions
      for (let index = 0; index < dimensions; index++) {
        sums[index] = (sums[index] ?? 0) + weight * (projection[base + index] ?? 0)
      }
    }
    let square = 0
    for (const sum of sums) square += sum * sum
    // what is left of rounding when a text is orthogonal to everything learned is no direction
    const length = square < 1e-18 ? 0 : Math.sqrt(square)
    for (let index = 0; index < dimensions; index++) {
      into[offset + index] = length === 0 ? 0 : (sums[index] ?? 0) / length
    }
  }
}
