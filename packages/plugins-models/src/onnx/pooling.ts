import type { Pooling } from "./modelFamilies.ts"

/** Adds `vector`, scaled to the Euclidean length 1, to `target`. A vector of length 0 adds nothing. */
export const addUnit = (target: Float32Array, vector: Float32Array): void => {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  if (length === 0) return
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) + (vector[i] ?? 0) / length
}

/** Scales a vector to the Euclidean length 1 in place. */
export const toUnit = (vector: Float32Array): void => {
  let squares = 0
  for (const value of vector) squares += value * value
  if (squares === 0) return
  const scale = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) * scale
}

/**
 * One vector from the token vectors of a sequence.
 *
 * @param hidden `[rows, width, dimensions]`, flat
 * @param tokens how many of the row's `width` positions are tokens; the rest is padding
 */
export const poolRow = (
  hidden: Float32Array,
  row: number,
  width: number,
  dimensions: number,
  tokens: number,
  pooling: Pooling
): Float32Array => {
  const start = row * width * dimensions
  if (pooling === "cls") return hidden.slice(start, start + dimensions)
  const sum = new Float64Array(dimensions)
  for (let token = 0; token < tokens; token++) {
    const offset = start + token * dimensions
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (hidden[offset + i] ?? 0)
  }
  return Float32Array.from(sum, (value) => value / tokens)
}
