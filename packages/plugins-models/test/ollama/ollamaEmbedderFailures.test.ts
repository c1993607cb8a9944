import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { goodDouble, loadFrom } from "./embedderOfDouble.ts"
import { embedLetters, type Handler, replyJson } from "@omnirag/testkit/OllamaDouble"

describe("embedder ollama: one typed error for each failure", () => {
  const failures: ReadonlyArray<readonly [string, Handler, RegExp, boolean]> = [
    ["fewer vectors", replyJson({ embeddings: [[1, 0]] }), /gave 1 vectors for 2 texts/, false],
    ["more vectors", replyJson({ embeddings: [[1], [1], [1]] }), /gave 3 vectors for 2 texts/, false],
    ["no vectors", replyJson({}), /no list of embeddings/, false],
    [
      "null in the place of NaN",
      replyJson({
        embeddings: [
          [1, 0],
          [null, 0]
        ]
      }),
      /finite numbers, for text 1/,
      false
    ],
    ["an empty vector", replyJson({ embeddings: [[], []] }), /a vector that is empty/, false],
    ["vectors of two lengths", replyJson({ embeddings: [[1, 0], [1]] }), /1 numbers instead of 2/, false],
    [
      "another dimension",
      replyJson({
        embeddings: [
          [1, 0],
          [0, 1]
        ]
      }),
      /2 numbers instead of 27; if it was replaced/,
      false
    ],
    ["status 500", replyJson({ error: "json: unsupported value: NaN" }, 500), /unsupported value: NaN/, true],
    ["model removed", replyJson({ error: 'model "m" not found' }, 404), /run: ollama pull m$/, false],
    ["closed", (_, response) => void response.destroy(), /closed the connection/, true]
  ]
  for (const [name, handler, message, retryable] of failures) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const double = yield* goodDouble
        const embedder = yield* loadFrom(double, { model: "m" })
        double.on("/api/embed", handler)
        const error = yield* Effect.flip(embedder.embed(["a", "b"], "document"))
        assert.strictEqual(error._tag, "EmbeddingError")
        assert.strictEqual(error.embedder, "ollama")
        assert.match(error.message, message)
        assert.strictEqual(error.retryable, retryable)
        // the next batch is not concerned
        double.on("/api/embed", embedLetters)
        assert.strictEqual((yield* embedder.embed(["a"], "document")).count, 1)
      })
    )
  }
})
