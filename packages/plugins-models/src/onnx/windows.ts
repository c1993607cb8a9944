/**
 * Splits `length` tokens into windows of at most `size` tokens. Neighbours share at least `overlap` tokens. There are
 * as few windows as possible, evenly spread, so that the last one is not very short. Ranges are `[start, end)`.
 */
export const splitWindows = (
  length: number,
  size: number,
  overlap: number
): ReadonlyArray<readonly [start: number, end: number]> => {
  if (length <= size) return [[0, length]]
  const count = Math.ceil((length - overlap) / (size - overlap))
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * (length - size)) / (count - 1))
    return [start, start + size] as const
  })
}
