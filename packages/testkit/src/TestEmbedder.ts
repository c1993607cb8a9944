import { definePlugin, EmbedderProvider, EmbeddingError } from "@omnirag/core/app"
import { Effect, Layer, Option, Schema } from "effect"
import { createHash } from "node:crypto"

/** What a test wants of its embedder, and what the embedder has seen. */
export interface EmbedderProbe {
  /** Texts embedded in the document role, in order. */
  readonly embedded: Array<string>
  /** Calls in the document role, failed ones included. */
  calls: number
  /** Makes every call that holds such a text fail for good. */
  failOn: (text: string) => boolean
  /** Runs before each call in the document role: to wait, to signal, to fail. */
  before: (texts: ReadonlyArray<string>) => Effect.Effect<void, EmbeddingError>
}

export const makeProbe = (): EmbedderProbe => ({
  embedded: [],
  calls: 0,
  failOn: () => false,
  before: () => Effect.void
})

/** The error of an embedder whose server is away. */
export const unreachable = new EmbeddingError({
  embedder: "test",
  message: "the embedder is away",
  retryable: true
})

/** A unit vector that depends on the words of a text alone: equal texts are equal, texts that share words are near. */
export const vectorOf = (text: string, dimensions: number, model: string): Float32Array => {
  const vector = new Float32Array(dimensions)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const hash = createHash("sha1").update(model).update(word).digest()
    const index = hash.readUInt16LE(0) % dimensions
    vector[index] = (vector[index] ?? 0) + (hash.readUInt8(2) % 2 === 0 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** An embedder whose every step a test can see, by the name `test`; `model` changes its fingerprint. */
export const testEmbedder = (probe: EmbedderProbe) =>
  definePlugin({
    kind: "embedder",
    name: "test",
    description: "Hashes words; for tests",
    options: Schema.Struct({
      model: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("one"))),
      dimensions: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(64)))
    }),
    layer: ({ model, dimensions }) =>
      Layer.succeed(EmbedderProvider, {
        name: "test",
        load: () =>
          Effect.succeed(
            Option.some({
              name: "test",
              dimensions,
              fingerprint: `test:${model}:${dimensions}`,
              fusionWeight: 0.5,
              batchSize: 8,
              concurrency: 2,
              embed: Effect.fnUntraced(function* (texts, role) {
                if (role === "document") {
                  probe.calls++
                  yield* probe.before(texts)
                }
                if (texts.some(probe.failOn)) {
                  return yield* new EmbeddingError({
                    embedder: "test",
                    message: "told to fail",
                    retryable: false
                  })
                }
                if (role === "document") probe.embedded.push(...texts)
                const vectors = new Float32Array(texts.length * dimensions)
                texts.forEach((text, row) => vectors.set(vectorOf(text, dimensions, model), row * dimensions))
                return { count: texts.length, dimensions, vectors }
              })
            })
          )
      })
  })
