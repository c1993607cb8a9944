import { localWeight, type LsaModel } from "./LsaModel.ts"
import type { CountedCorpus } from "./TermCounter.ts"
import { type SvdOptions, truncatedSvd } from "./truncatedSvd.ts"

/**
 * Global weights by entropy: 1 for a term that occurs in one text, near 0 for a term that is spread evenly over all
 * texts (Dumais 1991, "Improving the retrieval of information from external sources").
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
 * value decomposition. A corpus without terms gives a model of one dimension without any terms.
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
      const value = localWeight(counts.values[entry] ?? 1) * (weights[counts.columns[entry] ?? 0] ?? 0)
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
