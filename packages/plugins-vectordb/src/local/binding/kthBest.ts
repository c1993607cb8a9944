/** The k-th best of the first `count` scores, by a heap whose top is the least of the k best; −Infinity when k ≥ count. */
export const kthBest = (scores: Float32Array, count: number, k: number): number => {
  if (k >= count) return -Infinity
  const heap = scores.subarray(0, k).toSorted()
  let least = heap[0] ?? 0
  for (let i = k; i < count; i++) {
    const score = scores[i] ?? 0
    if (score <= least) continue
    let hole = 0
    for (;;) {
      let child = 2 * hole + 1
      if (child >= k) break
      if (child + 1 < k && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
      const value = heap[child] ?? 0
      if (value >= score) break
      heap[hole] = value
      hole = child
    }
    heap[hole] = score
    least = heap[0] ?? 0
  }
  return least
}
