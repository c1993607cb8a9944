/** A case after retrieval: what was found, best first, and what is right. */
export interface RankedCase {
  /** Grade of the document at each rank (rank 1 first), distinct documents only; 0 for one that is not relevant. */
  readonly grades: ReadonlyArray<number>
  /** Grades of all relevant documents, in any order. */
  readonly ideal: ReadonlyArray<number>
}

/** Share of the relevant documents among the first `k`. */
export const recallAt = ({ grades, ideal }: RankedCase, k: number): number =>
  ideal.length === 0 ? 0 : grades.slice(0, k).filter((grade) => grade > 0).length / ideal.length

/** One over the rank of the first relevant document; 0 when there is none. */
export const reciprocalRank = ({ grades }: RankedCase): number => {
  const index = grades.findIndex((grade) => grade > 0)
  return index === -1 ? 0 : 1 / (index + 1)
}

const discountedGain = (grades: ReadonlyArray<number>): number =>
  grades.reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)

/** Normalised discounted cumulative gain with the grade as gain (Järvelin and Kekäläinen, 2002). */
export const ndcgAt = ({ grades, ideal }: RankedCase, k: number): number => {
  const best = discountedGain(ideal.toSorted((left, right) => right - left).slice(0, k))
  return best === 0 ? 0 : discountedGain(grades.slice(0, k)) / best
}
