import { assert, describe, it } from "@effect/vitest"
import type { Embedder } from "@omnirag/core/app"
import { Effect, Queue } from "effect"
import { goodDouble, loadFrom } from "./embedderOfDouble.ts"
import {
  describeModels,
  embedLetters,
  letterVector,
  makeOllamaDouble,
  type OllamaDouble,
  replyJson
} from "@omnirag/testkit/OllamaDouble"

const unit = (vector: ReadonlyArray<number>) => {
  const norm = Math.hypot(...vector)
  return vector.map((value) => value / norm)
}
const row = (embedder: Embedder, vectors: Float32Array, index: number) =>
  Array.from(vectors.subarray(index * embedder.dimensions, (index + 1) * embedder.dimensions))
const assertClose = (actual: ReadonlyArray<number>, expected: ReadonlyArray<number>) => {
  assert.strictEqual(actual.length, expected.length)
  for (const [at, value] of expected.entries()) assert.closeTo(actual[at] ?? Number.NaN, value, 1e-6)
}
const inputs = (double: OllamaDouble) =>
  Effect.map(Queue.takeAll(double.received), (all) => all.map(({ body }) => body["input"]))

describe("embedder ollama", () => {
  it.effect("gives unit vectors in the order of the texts, with the prefix of the role", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double)
      assert.strictEqual(embedder.dimensions, 27)
      const result = yield* embedder.embed(["abc", "zzz"], "document")
      assert.strictEqual(result.count, 2)
      assertClose(row(embedder, result.vectors, 0), unit(letterVector("search_document: abc")))
      assertClose(row(embedder, result.vectors, 1), unit(letterVector("search_document: zzz")))
      assert.isUndefined(result.warnings)
      yield* embedder.embed(["abc"], "query")
      assert.deepStrictEqual(yield* inputs(double), [
        ["search_document: abc", "search_document: zzz"],
        ["search_query: abc"]
      ])
    })
  )

  it.effect("forbids truncation and names the context and keep_alive", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { keepAlive: "30m", model: "m", dimensions: 27 })
      yield* embedder.embed(["abc"], "query")
      const { body } = yield* Queue.take(double.received)
      assert.deepStrictEqual(body, {
        model: "m",
        input: ["abc"],
        truncate: false,
        options: { num_ctx: 2048 },
        dimensions: 27,
        keep_alive: "30m"
      })
    })
  )

  it.effect("prefixes can be replaced", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { prefixes: { query: "Q ", document: "" } })
      yield* embedder.embed(["a"], "query")
      yield* embedder.embed(["a"], "document")
      assert.deepStrictEqual(yield* inputs(double), [["Q a"], ["a"]])
    })
  )

  it.effect("blank texts never reach the server and get a row of 0 and a warning", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { model: "m" })
      const texts = ["", "  \n\t", "\0", "\ud800", "\u200b", "a"]
      const { vectors, warnings } = yield* embedder.embed(texts, "document")
      assert.deepStrictEqual(yield* inputs(double), [["a"]])
      for (const index of [0, 1, 2, 3, 4])
        assert.isTrue(row(embedder, vectors, index).every((value) => value === 0))
      assertClose(row(embedder, vectors, 5), unit(letterVector("a")))
      assert.deepStrictEqual(
        warnings,
        [0, 1, 2, 3, 4].map((index) => ({ index, message: "blank text: not embedded" }))
      )
      assert.strictEqual((yield* embedder.embed(["", " "], "document")).count, 2)
      assert.strictEqual(yield* Queue.size(double.received), 0)
    })
  )

  it.effect("odd texts arrive: emoji, CJK, a lone surrogate inside, base64", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { model: "m" })
      const texts = ["👩‍👩‍👧‍👦🚀", "検索拡張生成", "a\ud800b", "QUJD".repeat(10)]
      assert.strictEqual((yield* embedder.embed(texts, "document")).count, 4)
      assert.deepStrictEqual(yield* inputs(double), [["👩‍👩‍👧‍👦🚀", "検索拡張生成", "a\ufffdb", "QUJD".repeat(10)]])
    })
  )

  it.effect("batches by number and by tokens", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { model: "m", batchSize: 2, batchTokens: 64, concurrency: 1 })
      const long = "word ".repeat(40)
      const { count } = yield* embedder.embed(["a", "b", "c", long, "d"], "document")
      assert.strictEqual(count, 5)
      assert.deepStrictEqual(yield* inputs(double), [["a", "b"], ["c", long], ["d"]])
    })
  )

  it.effect("never has more calls under way than allowed, over all its callers", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { model: "m", batchSize: 1, concurrency: 2 })
      const most: Array<number> = []
      let underWay = 0
      double.on("/api/embed", (request, response) => {
        most.push(++underWay)
        setImmediate(() => {
          underWay--
          embedLetters(request, response)
        })
      })
      yield* Effect.all(
        [embedder.embed(["a", "b", "c"], "query"), embedder.embed(["d", "e", "f"], "query")],
        {
          concurrency: 2
        }
      )
      assert.strictEqual(most.length, 6)
      assert.isAtMost(Math.max(...most), 2)
    })
  )
})

describe("embedder ollama: texts longer than the context", () => {
  const long = "alpha beta gamma delta ".repeat(100)
  it.effect("are embedded as the mean of windows, with a warning at their index", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      describeModels(double, 256)
      const embedder = yield* loadFrom(double, { model: "m" })
      const { vectors, warnings } = yield* embedder.embed(["a", long], "document")
      const sent = (yield* inputs(double)).flat() as Array<string>
      assert.deepStrictEqual(sent.slice(1).join(""), long)
      const windows = sent.slice(1).map((text) => unit(letterVector(text)))
      assert.isAbove(windows.length, 1)
      assertClose(
        row(embedder, vectors, 1),
        unit(
          Array.from({ length: 27 }, (_, at) => windows.reduce((sum, window) => sum + (window[at] ?? 0), 0))
        )
      )
      assert.deepStrictEqual(warnings, [
        {
          index: 1,
          message: `longer than the 256 tokens of the model: embedded as the mean of ${windows.length} windows`
        }
      ])
    })
  )

  it.effect(
    "are halved when the server finds them too long although the estimate did not; the others stay whole",
    () =>
      Effect.gen(function* () {
        const double = yield* goodDouble
        const embedder = yield* loadFrom(double, { model: "m" })
        double.on("/api/embed", (request, response) => {
          const texts = request.body["input"] as ReadonlyArray<string>
          const tooLong = texts.some((text) => text.length > 600)
          if (tooLong)
            replyJson({ error: "input length exceeds maximum context length" }, 400)(request, response)
          else embedLetters(request, response)
        })
        const { vectors, warnings } = yield* embedder.embed(["abc", long.slice(0, 1000), "xyz"], "document")
        assertClose(row(embedder, vectors, 0), unit(letterVector("abc")))
        assertClose(row(embedder, vectors, 2), unit(letterVector("xyz")))
        assert.deepStrictEqual(
          warnings?.map(({ index }) => index),
          [1]
        )
        assert.match(warnings?.[0]?.message ?? "", /mean of 2 windows$/)
      })
  )

  it.effect("fail with the server's words when even a short text is too long for it", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { model: "m" })
      double.on("/api/embed", replyJson({ error: "input length exceeds maximum context length" }, 400))
      const error = yield* Effect.flip(embedder.embed([long], "document"))
      assert.strictEqual(error.code, "EMBEDDING_FAILED")
      assert.match(error.message, /exceeds maximum context length/)
    })
  )
})
