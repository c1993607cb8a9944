/** A hit of one list: a chunk id with the score the list gives it, best first. */
export interface ScoredId {
  readonly id: string
  readonly score: number
}

/** A list of hits with its share in the fusion. */
export interface WeightedList {
  readonly weight: number
  readonly hits: ReadonlyArray<ScoredId>
}

/** Scores scaled so that the top of the list is 1 and its last hit 0; all 1 where every score is the same. */
export const scaleScores = (hits: ReadonlyArray<ScoredId>): ReadonlyArray<ScoredId> => {
  const top = hits[0]?.score ?? 0
  const last = hits.at(-1)?.score ?? 0
  return hits.map(({ id, score }) => ({ id, score: top === last ? 1 : (score - last) / (top - last) }))
}

const sum = (lists: ReadonlyArray<WeightedList>, value: (hit: ScoredId, index: number) => number) => {
  const total = new Map<string, number>()
  for (const { weight, hits } of lists) {
    hits.forEach((hit, index) => total.set(hit.id, (total.get(hit.id) ?? 0) + weight * value(hit, index)))
  }
  return total
}

/** Weighted sum of scaled scores; a hit that a list lacks gets 0 from it. */
export const fuseScaled = (lists: ReadonlyArray<WeightedList>): ReadonlyMap<string, number> =>
  sum(
    lists.map(({ weight, hits }) => ({ weight, hits: scaleScores(hits) })),
    (hit) => hit.score
  )

/** Weighted reciprocal ranks, `1 / (60 + rank)` (Cormack, Clarke and Büttcher, 2009). */
export const fuseReciprocalRank = (lists: ReadonlyArray<WeightedList>): ReadonlyMap<string, number> =>
  sum(lists, (_, index) => 1 / (61 + index))
