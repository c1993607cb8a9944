import { Reranker, RerankError } from "@omnirag/core/app"
import { rerankerConformance } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { rename } from "node:fs/promises"
import { buildReranker } from "./builtPlugins.ts"
import {
  crossEncoderOf,
  modelFolder,
  tinyCrossEncoder,
  tinyEmbedder,
  tinyFiles
} from "@omnirag/testkit/tinyModels"

const rerankerOf = Effect.fnUntraced(function* (options: Record<string, unknown>) {
  return Context.get(yield* Layer.build(buildReranker(options)), Reranker)
})

const tiny = Effect.fnUntraced(function* (options: Record<string, unknown> = {}) {
  const model = yield* modelFolder("model", tinyFiles(tinyCrossEncoder))
  return yield* rerankerOf({ model, ...options })
})

rerankerConformance({
  name: "cross-encoder",
  layer: Layer.unwrap(
    Effect.map(modelFolder("model", tinyFiles(tinyCrossEncoder)), (model) =>
      buildReranker({ model, workers: 2 })
    )
  ),
  samples: [
    {
      question: "alpha beta gamma",
      ranked: ["gamma beta alpha", "beta query gamma", "delta alpha", "passage passage"]
    }
  ]
})

describe("cross-encoder, on a model with known weights", () => {
  it.live("gives the logits of the model for question and passage, in the order of the passages", () =>
    Effect.gen(function* () {
      const reranker = yield* tiny()
      // 2 · equal pairs − 3; the [SEP] behind question and passage is one pair
      assert.deepStrictEqual(
        yield* reranker.score("alpha beta", ["alpha", "delta", "beta alpha", "alpha alpha beta", ""]),
        [1, -1, 3, 5, -1]
      )
      assert.strictEqual(reranker.candidateFactor, 3)
    })
  )

  it.live("cuts the passage, never the question", () =>
    Effect.gen(function* () {
      const reranker = yield* tiny({ maxTokens: 16 })
      // [CLS] and two [SEP] leave 13 tokens: 3 of the question and 10 of the passage
      const passage = (before: number) => "delta ".repeat(before) + "alpha"
      assert.deepStrictEqual(yield* reranker.score("alpha beta gamma", [passage(9), passage(10)]), [1, -1])
      const question = "beta ".repeat(11) + "alpha"
      assert.deepStrictEqual(yield* reranker.score(question, ["alpha beta"]), [1])
      const error = yield* Effect.flip(reranker.score("alpha ".repeat(13), ["alpha"]))
      assert.instanceOf(error, RerankError)
      assert.strictEqual(
        error.message,
        "the question has 13 tokens and leaves no room for a passage in the 16 the model takes"
      )
    })
  )

  it.live("fails at the score while the model is missing, and works once it is there", () =>
    Effect.gen(function* () {
      const model = yield* modelFolder("model", tinyFiles(tinyCrossEncoder))
      yield* Effect.promise(() => rename(model, `${model}.away`))
      const reranker = yield* rerankerOf({ model })
      const error = yield* Effect.flip(reranker.score("alpha", ["alpha"]))
      assert.instanceOf(error, RerankError)
      assert.include(error.message, `there is no folder ${model}`)
      yield* Effect.promise(() => rename(`${model}.away`, model))
      assert.deepStrictEqual(yield* reranker.score("alpha", ["alpha"]), [1])
    })
  )

  it.live("names the model to fetch when nothing is configured", () =>
    Effect.gen(function* () {
      const reranker = yield* rerankerOf({ cache: "./no/such/cache" })
      const error = yield* Effect.flip(reranker.score("alpha", ["alpha"]))
      assert.include(
        error.message,
        "the hub model of that name in no/such/cache/Xenova/ms-marco-MiniLM-L-6-v2, and offline is on"
      )
    })
  )

  const reranking = (weights: Uint8Array, texts: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const model = yield* modelFolder("model", tinyFiles(weights))
      return yield* (yield* rerankerOf({ model })).score("alpha beta", texts)
    })
  const texts = ["delta", "alpha", "beta alpha"]

  it.live("scores by the second label less the first where there are two", () =>
    Effect.gen(function* () {
      // logits (−pairs + 1, 2 · pairs − 3)
      assert.deepStrictEqual(yield* reranking(crossEncoderOf([-1, 2], [1, -3]), texts), [-1, 2, 5])
    })
  )

  it.live("takes the output whatever its name is", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reranking(crossEncoderOf([2], [-3], "output_0"), texts), [-1, 1, 3])
    })
  )

  it.live("refuses a classifier with three labels, and numbers that are not finite", () =>
    Effect.gen(function* () {
      const three = yield* Effect.flip(reranking(crossEncoderOf([1, 2, 3], [0, 0, 0]), texts))
      assert.instanceOf(three, RerankError)
      assert.include(
        three.message,
        "its output logits has the shape [1, 3] instead of [batch, one or two labels]"
      )
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const error = yield* Effect.flip(reranking(crossEncoderOf([bad], [-3]), texts))
        assert.instanceOf(error, RerankError)
        assert.include(error.message, "not finite")
      }
    })
  )

  it.live("refuses an embedding model", () =>
    Effect.gen(function* () {
      const model = yield* modelFolder("model", tinyFiles(tinyEmbedder))
      const error = yield* Effect.flip((yield* rerankerOf({ model })).score("alpha", ["alpha"]))
      assert.include(
        error.message,
        "it is not a cross-encoder: its output last_hidden_state has the shape [1, 5, 11]"
      )
    })
  )
})
