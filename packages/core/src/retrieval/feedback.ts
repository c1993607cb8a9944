/** A passage taken for a good answer, with how much it counts. */
export interface FeedbackPassage {
  /** Unit vector, of the length of the question's. */
  readonly vector: Float32Array
  readonly weight: number
}

/**
 * Pseudo-relevance feedback on vectors (Rocchio 1971, without negative examples): the question's unit vector plus
 * `share` times the weighted mean of the best passages' vectors, scaled to length 1. A question without a known word
 * (zero vector) becomes the mean of the passages; with nothing to learn from it comes back unchanged.
 */
export const rocchio = (
  question: Float32Array,
  passages: ReadonlyArray<FeedbackPassage>,
  share = 1
): Float32Array => {
  const total = passages.reduce((sum, { weight }) => sum + weight, 0)
  if (!(total > 0)) return question
  const mixed = Float64Array.from(question)
  for (const { vector, weight } of passages) {
    vector.forEach((value, index) => {
      mixed[index] = (mixed[index] ?? 0) + ((share * weight) / total) * value
    })
  }
  const length = Math.hypot(...mixed)
  return length > 0 ? Float32Array.from(mixed, (value) => value / length) : question
}
