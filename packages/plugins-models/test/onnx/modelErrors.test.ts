import { EmbedderProvider } from "@omnirag/core/app"
import { memoryArtifacts } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onnxEmbedder } from "../../src/onnx/onnxEmbedder.ts"
import { buildEmbedder } from "./builtPlugins.ts"
import {
  modelFolder,
  temporaryFolder,
  tinyCrossEncoder,
  tinyEmbedder,
  tinyFiles
} from "@omnirag/testkit/tinyModels"

const refusal = (options: Record<string, unknown>) =>
  Effect.gen(function* () {
    const provider = yield* EmbedderProvider
    const error = yield* Effect.flip(provider.load(memoryArtifacts()))
    assert.strictEqual(error._tag, "EmbeddingError")
    return error.message
  }).pipe(Effect.provide(buildEmbedder(options)))

const refusalOf = Effect.fnUntraced(function* (
  files: Record<string, string | Uint8Array>,
  options: Record<string, unknown> = {}
) {
  const model = yield* modelFolder("model", files)
  return (yield* refusal({ model, ...options })).replaceAll(model, "MODEL")
})

const good = tinyFiles(tinyEmbedder)

describe("a model that cannot be used is refused with what is wrong", () => {
  it.live("a folder that is not there", () =>
    Effect.gen(function* () {
      const message = yield* refusal({ model: "./no/such/folder" })
      assert.strictEqual(
        message,
        "there is no folder ./no/such/folder. The option model must name a folder that holds tokenizer.json and the weights as onnx/model.onnx or model.onnx (or the file that the option file names); or a hub model such as Xenova/all-MiniLM-L6-v2"
      )
    })
  )

  it.live("a hub model that is not in the cache while offline", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      const message = yield* refusal({ model: "owner/model", cache })
      assert.include(
        message,
        `there is no folder owner/model, nor is the hub model of that name in ${cache}/owner/model, and offline is on`
      )
      assert.include(message, "set offline: false")
    })
  )

  it.live("a folder without the weights, the tokenizer or both", () =>
    Effect.gen(function* () {
      const { "tokenizer.json": tokenizer = "", "onnx/model.onnx": weights = "" } = good
      assert.include(yield* refusalOf({ "onnx/model.onnx": weights }), "MODEL lacks tokenizer.json.")
      assert.include(yield* refusalOf({ "tokenizer.json": tokenizer }), "MODEL lacks the weights.")
      assert.include(yield* refusalOf({ "README.md": "" }), "MODEL lacks tokenizer.json and the weights.")
      assert.include(
        yield* refusalOf(good, { file: "onnx/model_q4.onnx" }),
        "MODEL lacks onnx/model_q4.onnx."
      )
    })
  )

  it.live("files that are not what their names say", () =>
    Effect.gen(function* () {
      assert.include(
        yield* refusalOf({ ...good, "onnx/model.onnx": "version https://git-lfs.github.com/spec/v1" }),
        "MODEL/onnx/model.onnx cannot be used: "
      )
      assert.include(yield* refusalOf({ ...good, "tokenizer.json": "{}" }), "cannot be used: ")
      assert.include(
        yield* refusalOf({ ...good, "config.json": "<html>" }),
        "MODEL/config.json is not the config.json of a model: "
      )
      assert.include(
        yield* refusalOf({ ...good, "config.json": '{"max_position_embeddings": "many"}' }),
        "MODEL/config.json is not the config.json of a model: "
      )
    })
  )

  it.live("a pooling or a layer that is not supported", () =>
    Effect.gen(function* () {
      assert.include(
        yield* refusalOf({ ...good, "1_Pooling/config.json": '{"pooling_mode_max_tokens": true}' }),
        "asks for a pooling other than mean or cls, which is not supported; set the option pooling"
      )
      assert.include(
        yield* refusalOf({ ...good, "modules.json": '[{"type": "sentence_transformers.models.Dense"}]' }),
        "has a Dense layer after the pooling, which is not supported"
      )
    })
  )

  it.live("a window with no room for the text", () =>
    Effect.gen(function* () {
      const model = yield* modelFolder("model", good)
      const message = yield* Effect.gen(function* () {
        const provider = yield* EmbedderProvider
        const embedder = yield* Effect.flatMap(provider.load(memoryArtifacts()), Effect.fromOption)
        return (yield* Effect.flip(embedder.embed(["alpha ".repeat(50)], "document"))).message
      }).pipe(Effect.provide(buildEmbedder({ model, maxTokens: 8, overlap: 6 })))
      assert.strictEqual(message, "maxTokens 8 leaves 6 tokens for the text, no more than the overlap of 6")
    })
  )

  it.live("options that are out of bounds, with their paths", () =>
    Effect.gen(function* () {
      const faults = yield* onnxEmbedder.check({ pooling: "max", workers: 0, colour: "red" })
      assert.deepStrictEqual(faults.map(({ path }) => path).toSorted(), [
        "colour",
        "model",
        "pooling",
        "workers"
      ])
    })
  )

  it.live("a cross-encoder in the place of an embedder", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refusalOf(tinyFiles(tinyCrossEncoder)),
        "MODEL/onnx/model.onnx cannot be used: it is not an embedding model: its output logits has the shape [1, 1] instead of [batch, tokens, dimensions]"
      )
    })
  )
})
