/**
 * Inner product of `a` with the row of `b` that starts at `offset`; four sums, so that additions overlap. The indexes
 * are in bounds (callers check lengths), and `?? 0` instead of the casts would double the time of this loop.
 */
export const innerProduct = (a: Float32Array, b: Float32Array, offset: number): number => {
  const length = a.length
  const whole = length - (length % 4)
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  let j = offset
  for (; i < whole; i += 4, j += 4) {
    s0 += (a[i] as number) * (b[j] as number)
    s1 += (a[i + 1] as number) * (b[j + 1] as number)
    s2 += (a[i + 2] as number) * (b[j + 2] as number)
    s3 += (a[i + 3] as number) * (b[j + 3] as number)
  }
  for (; i < length; i++, j++) s0 += (a[i] as number) * (b[j] as number)
  return s0 + s1 + (s2 + s3)
}

/** A cosine as the ports promise it: −1 … 1 although float32 sums can step a little over. */
export const clampScore = (score: number): number => Math.fround(Math.min(1, Math.max(-1, score)))
