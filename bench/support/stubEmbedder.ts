import { definePlugin, EmbedderProvider } from "@omnirag/core/app"
import { Effect, Layer, Schema } from "effect"
import { setTimeout as sleep } from "node:timers/promises"

/** An embedder `stub` that costs what it is told: pseudo-random unit vectors, one call after the other. */
export const stubEmbedder = (options: {
  /** Waited in each call, as for a server. */
  readonly milliseconds: number
  readonly batchSize: number
  readonly dimensions: number
}) =>
  definePlugin({
    kind: "embedder",
    name: "stub",
    description: "Random vectors after a wait; for measurements",
    options: Schema.Struct({}),
    layer: () =>
      Layer.succeed(EmbedderProvider, {
        name: "stub",
        load: () => {
          const { batchSize, dimensions, milliseconds } = options
          return Effect.succeedSome({
            name: "stub",
            dimensions,
            fingerprint: `stub:${dimensions}`,
            fusionWeight: 0.5,
            batchSize,
            concurrency: 1,
            embed: Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
              if (milliseconds > 0) yield* Effect.promise(() => sleep(milliseconds))
              const vectors = new Float32Array(texts.length * dimensions)
              texts.forEach((text, row) =>
                fill(vectors.subarray(row * dimensions, (row + 1) * dimensions), text)
              )
              return { count: texts.length, dimensions, vectors }
            })
          })
        }
      })
  })

/** A unit vector that follows from the text, by a linear congruential generator. */
const fill = (vector: Float32Array, text: string): void => {
  let state = text.length
  for (let at = 0; at < text.length; at++) state = (Math.imul(state, 31) + text.charCodeAt(at)) >>> 0
  let square = 0
  for (let at = 0; at < vector.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const value = state / 2 ** 32 - 0.5
    vector[at] = value
    square += value * value
  }
  const length = Math.sqrt(square)
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
}
