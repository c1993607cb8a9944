/**
 * Divides sequences into groups, one for each model run: sorted by length so that little padding is needed, at most
 * `budget` tokens in a group including padding, at least one sequence in a group. Returns indices into `lengths`.
 */
export const tokenBuckets = (
  lengths: ReadonlyArray<number>,
  budget: number
): ReadonlyArray<ReadonlyArray<number>> => {
  const byLength = lengths.map((length, index) => ({ length, index }))
  byLength.sort((a, b) => a.length - b.length || a.index - b.index)
  const groups: Array<Array<number>> = []
  let group: Array<number> = []
  for (const { length, index } of byLength) {
    // sorted by length: the next one is the longest and sets the padded width
    if (group.length > 0 && length * (group.length + 1) > budget) {
      groups.push(group)
      group = []
    }
    group.push(index)
  }
  if (group.length > 0) groups.push(group)
  return groups
}
