/** A question of a set with the relevance of what was found for it. */
export interface JudgedQuestion {
  readonly answerable: boolean
  /** 0 … 1. */
  readonly relevance: number
}

/** The result of a floor on a set of questions. */
export interface FloorEffect {
  readonly floor: number
  /** Answerable questions at or above the floor. */
  readonly kept: number
  /** Unanswerable questions below it. */
  readonly rejected: number
}

export const effectOf = (questions: ReadonlyArray<JudgedQuestion>, floor: number): FloorEffect => ({
  floor,
  kept: questions.filter(({ answerable, relevance }) => answerable && relevance >= floor).length,
  rejected: questions.filter(({ answerable, relevance }) => !answerable && relevance < floor).length
})

/**
 * The floor that separates best: it gives the highest mean of the share of answerable questions kept and the share of
 * unanswerable questions rejected. Where several floors do, it is in the middle of the widest gap between two scores.
 * Undefined unless there are questions of both kinds.
 */
export const separatingFloor = (questions: ReadonlyArray<JudgedQuestion>): FloorEffect | undefined => {
  const answerable = questions.filter((question) => question.answerable).length
  const unanswerable = questions.length - answerable
  if (answerable === 0 || unanswerable === 0) return undefined
  const edges = [...new Set([0, ...questions.map(({ relevance }) => relevance), 1])].toSorted(
    (left, right) => left - right
  )
  const floors = [
    ...edges.slice(1).map((edge, index) => ({
      floor: (edge + (edges[index] ?? 0)) / 2,
      gap: edge - (edges[index] ?? 0)
    })),
    { floor: 0, gap: 0 },
    { floor: 1, gap: 0 }
  ].map(({ floor, gap }) => {
    const effect = effectOf(questions, floor)
    return { effect, gap, quality: effect.kept / answerable + effect.rejected / unanswerable }
  })
  return floors.toSorted((left, right) => right.quality - left.quality || right.gap - left.gap)[0]?.effect
}
