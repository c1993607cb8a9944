import { assert, describe, it } from "@effect/vitest"
import { makeOllamaClient, ollamaEmbeddingModel, ollamaLanguageModel } from "@omnirag/plugins-models/ollama"
import { Effect, Layer, Queue, Schema, Stream } from "effect"
import { AiError, Chat, EmbeddingModel, LanguageModel, Model } from "effect/ai"
import { timeouts } from "./clientOfDouble.ts"
import {
  chatEnd,
  chatLine,
  embedLetters,
  letterVector,
  makeOllamaDouble,
  replyChunks,
  replyJson
} from "@omnirag/testkit/OllamaDouble"

const clientOf = (url: string) => makeOllamaClient({ url, timeouts, retries: 0, retryDelay: 1 })
const talker = (url: string, model = "m") =>
  ollamaLanguageModel(clientOf(url), {
    model,
    concurrency: 4,
    keepAlive: undefined,
    think: undefined,
    parameters: { num_ctx: 2048 }
  })
const embedder = (url: string) =>
  ollamaEmbeddingModel(clientOf(url), {
    model: "e",
    contextTokens: 512,
    dimensions: undefined,
    keepAlive: "30m"
  })

/** A program that knows effect/ai and nothing of Ollama. */
const summarise = Effect.gen(function* () {
  const chat = yield* Chat.empty
  const first = yield* chat.generateText({ prompt: "Which port?" })
  const second = yield* chat.streamText({ prompt: "And the host?" }).pipe(
    Stream.filter((part) => part.type === "text-delta"),
    Stream.map((part) => part.delta),
    Stream.mkString
  )
  return { first: first.text, reason: first.finishReason, second, model: yield* Model.ModelName }
})

describe("Ollama in another program", () => {
  it.effect("holds a conversation through Chat, whose history goes along", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", ({ body }, response) => {
        const turns = (body["messages"] as ReadonlyArray<unknown>).length
        replyChunks([chatLine(turns === 1 ? "8082" : "local"), chatLine("."), chatEnd()])(
          { path: "", body },
          response
        )
      })
      const said = yield* Effect.provide(summarise, talker(double.url))
      assert.deepStrictEqual(said, { first: "8082.", reason: "stop", second: "local.", model: "m" })
      yield* Queue.take(double.received)
      const { body } = yield* Queue.take(double.received)
      assert.deepStrictEqual(body["messages"], [
        { role: "user", content: "Which port?" },
        { role: "assistant", content: "8082." },
        { role: "user", content: "And the host?" }
      ])
    })
  )

  it.effect("gives an object, and a typed error for a text that is none", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const object = LanguageModel.generateObject({
        prompt: "?",
        schema: Schema.Struct({ port: Schema.Int })
      })
      double.on(
        "/api/chat",
        replyChunks([chatLine('<think>8082?</think>{"port":'), chatLine("8082}"), chatEnd()])
      )
      assert.deepStrictEqual((yield* Effect.provide(object, talker(double.url))).value, { port: 8082 })
      double.on("/api/chat", replyChunks([chatLine("a port"), chatEnd()]))
      const error = yield* Effect.flip(Effect.provide(object, talker(double.url)))
      assert.isTrue(AiError.isAiError(error))
      assert.strictEqual(error.reason._tag, "StructuredOutputError")
    })
  )

  it.effect("falls back from one model to the other by its error", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", (request, response) =>
        request.body["model"] === "m"
          ? replyChunks([chatLine("from m"), chatEnd()])(request, response)
          : replyJson({ error: 'model "other" not found' }, 404)(request, response)
      )
      const ask = LanguageModel.generateText({ prompt: "?" })
      const { text } = yield* Effect.provide(ask, talker(double.url, "other")).pipe(
        Effect.catchTag("AiError", ({ reason }) =>
          reason._tag === "InvalidRequestError" ? Effect.provide(ask, talker(double.url)) : Effect.die(reason)
        )
      )
      assert.strictEqual(text, "from m")
    })
  )

  it.effect("embeds one text, many in one call, and single ones asked for at once in one call", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/embed", embedLetters)
      yield* Effect.gen(function* () {
        const model = yield* EmbeddingModel.EmbeddingModel
        assert.deepStrictEqual((yield* model.embed("abc")).vector, letterVector("abc"))
        const { embeddings, usage } = yield* model.embedMany(["a", "zz"])
        assert.deepStrictEqual(
          embeddings.map(({ vector }) => vector),
          [letterVector("a"), letterVector("zz")]
        )
        assert.strictEqual(usage.inputTokens, 2)
        yield* Effect.forEach(["x", "y"], (text) => model.embed(text), { concurrency: "unbounded" })
        assert.strictEqual(yield* Model.ProviderName, "ollama")
      }).pipe(Effect.provide(embedder(double.url)))
      const sent = yield* Queue.takeAll(double.received)
      assert.deepStrictEqual(
        sent.map(({ body }) => body["input"]),
        [["abc"], ["a", "zz"], ["x", "y"]]
      )
      assert.deepInclude(sent[0]?.body, { model: "e", truncate: false, keep_alive: "30m" })
    })
  )

  it.effect("both models together, with failures of each as AiError", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/embed", replyJson({ embeddings: [[1, null]] }))
      double.on("/api/chat", replyJson({ error: "died" }, 500))
      const both = Layer.merge(talker(double.url), embedder(double.url))
      const errors = yield* Effect.all([
        Effect.flip(LanguageModel.generateText({ prompt: "?" })),
        Effect.flip(Effect.flatMap(EmbeddingModel.EmbeddingModel, (model) => model.embed("a")))
      ]).pipe(Effect.provide(both))
      assert.deepStrictEqual(
        errors.map(({ _tag, module, reason }) => [_tag, module, reason._tag]),
        [
          ["AiError", "Ollama", "InternalProviderError"],
          ["AiError", "Ollama", "InvalidResponseError"]
        ]
      )
    })
  )
})
