import { estimateTokens } from "@omnirag/core/app"
import { embedderFromModel } from "@omnirag/plugins-models/ollama"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EmbeddingModel } from "effect/ai"

/** An embedder over a model of somebody else's that gives these vectors. */
const embedderOf = (vectorOf: (text: string, index: number) => Array<number>, surplus = 0) =>
  Effect.map(
    EmbeddingModel.make({
      embedMany: ({ inputs }) =>
        Effect.succeed({
          results: [...inputs, ...Array.from({ length: Math.max(0, surplus) }, () => "")]
            .slice(0, inputs.length + surplus)
            .map(vectorOf),
          usage: { inputTokens: undefined }
        })
    }),
    (model) =>
      embedderFromModel(model, {
        name: "theirs",
        dimensions: 2,
        fingerprint: "theirs:1",
        fusionWeight: 0.5,
        batchSize: 8,
        batchTokens: 1000,
        concurrency: 1,
        contextTokens: 512,
        prefixes: { query: "q: ", document: "" },
        estimateTokens
      })
  )

describe("an embedder from a model of somebody else's", () => {
  it.effect("scales every vector to length 1, the largest and the smallest too", () =>
    Effect.gen(function* () {
      const lengths = [1, 1e-30, 1e30, 1e-300, 1e300]
      const embedder = yield* embedderOf((_, index) => [
        0.6 * (lengths[index] ?? 0),
        -0.8 * (lengths[index] ?? 0)
      ])
      const { vectors, warnings } = yield* embedder.embed(["a", "b", "c", "d", "e"], "document")
      for (const row of [0, 1, 2, 3, 4]) {
        assert.closeTo(vectors[2 * row] ?? Number.NaN, 0.6, 1e-6)
        assert.closeTo(vectors[2 * row + 1] ?? Number.NaN, -0.8, 1e-6)
      }
      assert.isUndefined(warnings)
    })
  )

  it.effect("a vector without direction is a row of 0 and a warning", () =>
    Effect.gen(function* () {
      const embedder = yield* embedderOf((text) => (text === "zero" ? [0, 0] : [1, 0]))
      const { vectors, warnings } = yield* embedder.embed(["a", "zero"], "document")
      assert.deepStrictEqual([...vectors], [1, 0, 0, 0])
      assert.deepStrictEqual(warnings, [{ index: 1, message: "the model gave a vector without direction" }])
    })
  )

  const faults: ReadonlyArray<readonly [string, ReturnType<typeof embedderOf>, RegExp]> = [
    ["NaN", embedderOf((text) => (text === "b" ? [Number.NaN, 1] : [1, 0])), /other than finite numbers/],
    [
      "infinite",
      embedderOf((text) => (text === "b" ? [Number.POSITIVE_INFINITY, 1] : [1, 0])),
      /other than finite numbers/
    ],
    ["too short", embedderOf((text) => (text === "b" ? [1] : [1, 0])), /1 numbers instead of 2/],
    ["missing", embedderOf(() => [1, 0], -1), /1 embeddings but expected 2/],
    ["one too many", embedderOf(() => [1, 0], 1), /3 embeddings but expected 2/]
  ]
  for (const [what, embedder, message] of faults) {
    it.effect(`a vector that is ${what} is a typed error`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* embedder).embed(["a", "b"], "document"))
        assert.strictEqual(error._tag, "EmbeddingError")
        assert.match(error.message, message)
      })
    )
  }
})
