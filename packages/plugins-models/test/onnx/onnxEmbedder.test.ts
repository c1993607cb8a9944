import { EmbedderProvider, type Embedder, EmbeddingError } from "@omnirag/core/app"
import { memoryArtifacts } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { buildEmbedder } from "./builtPlugins.ts"
import { modelFolder, tinyEmbedder, tinyFiles, vocabulary } from "@omnirag/testkit/tinyModels"

const providerOf = Effect.fnUntraced(function* (options: Record<string, unknown>) {
  return Context.get(yield* Layer.build(buildEmbedder(options)), EmbedderProvider)
})

/** A loaded embedder over the tiny model, in a folder of that name. */
const tiny = Effect.fnUntraced(function* (
  name: string,
  options: Record<string, unknown> = {},
  files: Record<string, string | Uint8Array> = {}
) {
  const model = yield* modelFolder(name, { ...tinyFiles(tinyEmbedder), ...files })
  const provider = yield* providerOf({ model, ...options })
  return Option.getOrThrow(yield* provider.load(memoryArtifacts()))
})

/** The unit vector of a bag of words: what the tiny model gives for the tokens by mean pooling. */
const bag = (words: ReadonlyArray<string>): ReadonlyArray<number> => {
  const counts = vocabulary.map((word) => words.filter((other) => other === word).length)
  const length = Math.hypot(...counts)
  return counts.map((count) => (length === 0 ? 0 : count / length))
}

const rowsOf = Effect.fnUntraced(function* (
  embedder: Embedder,
  texts: ReadonlyArray<string>,
  role: "query" | "document" = "document"
) {
  const { count, dimensions, vectors } = yield* embedder.embed(texts, role)
  assert.strictEqual(count, texts.length)
  assert.strictEqual(dimensions, embedder.dimensions)
  return texts.map((_, row) => Array.from(vectors.subarray(row * dimensions, (row + 1) * dimensions)))
})

const assertRows = (
  actual: ReadonlyArray<ReadonlyArray<number>>,
  expected: ReadonlyArray<ReadonlyArray<number>>
) => {
  assert.strictEqual(actual.length, expected.length)
  actual.forEach((row, index) => {
    assert.strictEqual(row.length, expected[index]?.length)
    row.forEach((value, i) => assert.closeTo(value, expected[index]?.[i] ?? Number.NaN, 1e-6))
  })
}

describe("onnx embedder, on a model with known weights", () => {
  it.live("gives the mean of the token vectors at length 1, in the order of the texts, for any batch", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny("model", { workers: 2 })
      assert.strictEqual(embedder.dimensions, vocabulary.length)
      const words = ["alpha", "beta", "gamma", "delta"]
      const texts = Array.from({ length: 101 }, (_, index) =>
        Array.from({ length: 1 + ((index * 7) % 13) }, (_, at) => words[(index + at * at) % 4]).join(" ")
      )
      assertRows(
        yield* rowsOf(embedder, texts),
        texts.map((text) => bag(["[CLS]", ...text.split(" "), "[SEP]"]))
      )
      assertRows(yield* rowsOf(embedder, []), [])
    })
  )

  it.live("gives all zeros for a text without words, and a vector for an unknown one", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny("model")
      assertRows(yield* rowsOf(embedder, ["", " \n", "zebra"]), [
        bag([]),
        bag([]),
        bag(["[CLS]", "[UNK]", "[SEP]"])
      ])
    })
  )

  it.live("takes the first token's vector where the folder's pooling says so", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny(
        "model",
        {},
        { "1_Pooling/config.json": '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}' }
      )
      assertRows(yield* rowsOf(embedder, ["alpha beta"]), [bag(["[CLS]"])])
    })
  )

  it.live("lets the option pooling override the folder", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny(
        "model",
        { pooling: "mean" },
        { "1_Pooling/config.json": '{"pooling_mode_max_tokens": true}' }
      )
      assertRows(yield* rowsOf(embedder, ["alpha"]), [bag(["[CLS]", "alpha", "[SEP]"])])
    })
  )

  it.live("puts the prefixes of the family before questions and passages", () =>
    Effect.gen(function* () {
      // the tokenizer of the tiny model splits at spaces: "query: " is one unknown word there
      const e5 = yield* tiny("e5-tiny")
      const framed = bag(["[CLS]", "[UNK]", "alpha", "[SEP]"])
      assertRows(yield* rowsOf(e5, ["alpha"], "query"), [framed])
      assertRows(yield* rowsOf(e5, ["alpha"], "document"), [framed])
      const own = yield* tiny("e5-tiny", { queryPrefix: "query ", documentPrefix: "" })
      assertRows(yield* rowsOf(own, ["alpha"], "query"), [bag(["[CLS]", "query", "alpha", "[SEP]"])])
      assertRows(yield* rowsOf(own, ["alpha"], "document"), [bag(["[CLS]", "alpha", "[SEP]"])])
    })
  )

  it.live("splits a text that is too long into windows and says so", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny("model", { maxTokens: 8, overlap: 1, documentPrefix: "passage " })
      const long = "alpha beta gamma delta alpha beta gamma"
      // 8 tokens less [CLS], [SEP] and the prefix leave 5: windows 0–5 and 2–7
      const first = bag(["[CLS]", "passage", "alpha", "beta", "gamma", "delta", "alpha", "[SEP]"])
      const second = bag(["[CLS]", "passage", "gamma", "delta", "alpha", "beta", "gamma", "[SEP]"])
      const sum = first.map((value, index) => value + (second[index] ?? 0))
      const { warnings } = yield* embedder.embed(["alpha", long], "document")
      assertRows(yield* rowsOf(embedder, [long]), [sum.map((value) => value / Math.hypot(...sum))])
      assert.deepStrictEqual(warnings, [
        { index: 1, message: "longer than the 8 tokens the model takes: embedded as the mean of 2 windows" }
      ])
      assert.isUndefined((yield* embedder.embed(["alpha"], "document")).warnings)
    })
  )

  it.live("takes the smallest limit the model's files name, RoBERTa's positions counted", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny(
        "model",
        { overlap: 1 },
        {
          "config.json": '{"model_type": "xlm-roberta", "max_position_embeddings": 12}',
          "tokenizer_config.json":
            '{"model_max_length": 1000000000000000019884624838656, "pad_token": "[PAD]"}',
          "sentence_bert_config.json": '{"max_seq_length": 64}'
        }
      )
      const { warnings } = yield* embedder.embed(["alpha ".repeat(8), "alpha ".repeat(9)], "document")
      assert.deepStrictEqual(
        warnings?.map(({ index }) => index),
        [1]
      )
    })
  )

  it.live("fails with a typed error for numbers that are not finite, and works on", () =>
    Effect.gen(function* () {
      const embedder = yield* tiny("model")
      const error = yield* Effect.flip(embedder.embed(["alpha", "nan"], "document"))
      assert.instanceOf(error, EmbeddingError)
      assert.isFalse(error.retryable)
      assert.include(error.message, "not finite")
      assertRows(yield* rowsOf(embedder, ["alpha"]), [bag(["[CLS]", "alpha", "[SEP]"])])
    })
  )

  it.live("has another fingerprint for other weights, prefixes, pooling or limits, and only then", () =>
    Effect.gen(function* () {
      const changed = tinyEmbedder.slice()
      changed.set([changed.at(-1) ?? 0], changed.length - 1)
      const base = yield* tiny("model")
      const same = yield* tiny("model", { workers: 2, fusionWeight: 0.25 })
      assert.strictEqual(same.fingerprint, base.fingerprint)
      assert.strictEqual(same.fusionWeight, 0.25)
      const others = yield* Effect.all([
        tiny("model", { queryPrefix: "query " }),
        tiny("model", { documentPrefix: "query " }),
        tiny("model", { pooling: "cls" }),
        tiny("model", { maxTokens: 100 }),
        tiny("model", { overlap: 3 }),
        tiny("model", {}, { "tokenizer_config.json": "{}" }),
        tiny(
          "model",
          {},
          { "onnx/model.onnx": Buffer.concat([tinyEmbedder, Buffer.from([0x12, 0x01, 0x61])]) }
        )
      ])
      assert.strictEqual(
        new Set([base, ...others].map(({ fingerprint }) => fingerprint)).size,
        1 + others.length
      )
    })
  )

  it.live("shares its processes between index generations and ends them with the last", () =>
    Effect.gen(function* () {
      const model = yield* modelFolder("model", tinyFiles(tinyEmbedder))
      const provider = yield* providerOf({ model })
      const [one, two] = [yield* Scope.make(), yield* Scope.make()]
      const first = Option.getOrThrow(yield* Scope.provide(provider.load(memoryArtifacts()), one))
      const second = Option.getOrThrow(yield* Scope.provide(provider.load(memoryArtifacts()), two))
      assert.strictEqual(first, second)
      yield* Scope.close(one, Exit.void)
      assertRows(yield* rowsOf(second, ["alpha"]), [bag(["[CLS]", "alpha", "[SEP]"])])
      yield* Scope.close(two, Exit.void)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(second.embed(["alpha"], "document"))))
    })
  )
})
