import { assert, describe, it } from "@effect/vitest"
import { HealthChecks, ModelContext } from "@omnirag/core/app"
import { Effect, Fiber, Layer, Queue, Schema, Stream } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { ollamaModel } from "../../src/ollama/ollamaModel.ts"
import {
  chatEnd,
  chatLine,
  describeModels,
  type Handler,
  makeOllamaDouble,
  type OllamaDouble,
  replyChunks,
  replyJson
} from "@omnirag/testkit/OllamaDouble"

const modelOf = (double: OllamaDouble, options: Record<string, unknown> = {}) =>
  ollamaModel
    .build({ url: double.url, retries: 0, model: "m", ...options })
    .pipe(Layer.provideMerge(HealthChecks.layer))

const prompt = [
  { role: "system" as const, content: "Be brief." },
  { role: "user" as const, content: "Which port?" }
]

describe("language model ollama", () => {
  it.effect(
    "sends the conversation with num_ctx, the room for the answer, temperature, seed and what else is set",
    () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", replyChunks([chatLine("8082"), chatEnd()]))
        const options = {
          contextTokens: 4096,
          answerTokens: 256,
          keepAlive: -1,
          parameters: { top_p: 0.5, num_ctx: 1 }
        }
        const { text } = yield* LanguageModel.generateText({ prompt }).pipe(
          Effect.provide(modelOf(double, options))
        )
        assert.strictEqual(text, "8082")
        assert.deepStrictEqual((yield* Queue.take(double.received)).body, {
          model: "m",
          messages: prompt,
          truncate: false,
          shift: false,
          stream: true,
          keep_alive: -1,
          options: { top_p: 0.5, num_ctx: 4096, num_predict: 256, temperature: 0, seed: 0 }
        })
      })
  )

  it.effect("sends keep_alive as the server wants it: numerals as numbers, durations as texts", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", replyChunks([chatLine("8082"), chatEnd()]))
      const given = [-1, 0, "-1", "600", "0", "30m", "-1h30m", "1.5h", ""]
      for (const keepAlive of given) {
        yield* LanguageModel.generateText({ prompt }).pipe(Effect.provide(modelOf(double, { keepAlive })))
      }
      assert.deepStrictEqual(
        (yield* Queue.takeAll(double.received)).map(({ body }) => body["keep_alive"]),
        [-1, 0, -1, 600, 0, "30m", "-1h30m", "1.5h", undefined]
      )
    })
  )

  it.effect("keeps thoughts out of the answer of a server that leaves them in the text", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const pieces = ["<th", "ink>8081? no</", "think>", "\n\n", "80", "82"]
      double.on("/api/chat", replyChunks([...pieces.map(chatLine), chatEnd()]))
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt })).pipe(
        Effect.provide(modelOf(double))
      )
      const deltas = parts.flatMap((part) =>
        part.type === "text-delta" || part.type === "reasoning-delta" ? [[part.type, part.delta]] : []
      )
      assert.deepStrictEqual(deltas, [
        ["reasoning-delta", "8081? no"],
        ["text-delta", "80"],
        ["text-delta", "82"]
      ])
      const whole = yield* LanguageModel.generateText({ prompt }).pipe(Effect.provide(modelOf(double)))
      assert.deepStrictEqual([whole.reasoningText, whole.text], ["8081? no", "8082"])
    })
  )

  it.effect("takes an end without a message, and mentions nothing but loading", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", replyChunks([chatLine("a"), '{"done":true,"done_reason":"load"}\n']))
      const { finishReason, text, usage } = yield* LanguageModel.generateText({ prompt }).pipe(
        Effect.provide(modelOf(double))
      )
      assert.deepStrictEqual([text, finishReason, usage.inputTokens.total], ["a", "unknown", undefined])
    })
  )

  it.effect("streams text as it comes, thoughts apart from it, and counts tokens", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const thought = `${JSON.stringify({ message: { role: "assistant", content: "", thinking: "hm" }, done: false })}\n`
      double.on(
        "/api/chat",
        replyChunks([thought, chatLine("80"), chatLine("82"), chatEnd({ done_reason: "length" })])
      )
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt })).pipe(
        Effect.provide(modelOf(double))
      )
      assert.deepStrictEqual(
        parts.map((part) => part.type),
        [
          "reasoning-start",
          "reasoning-delta",
          "reasoning-end",
          "text-start",
          "text-delta",
          "text-delta",
          "text-end",
          "finish"
        ]
      )
      const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []))
      assert.deepStrictEqual(deltas, ["80", "82"])
      const last = parts.at(-1)
      assert.isTrue(last?.type === "finish")
      if (last?.type !== "finish") return
      assert.strictEqual(last.reason, "length")
      assert.deepStrictEqual([last.usage.inputTokens.total, last.usage.outputTokens.total], [11, 2])
    })
  )

  it.effect("passes the schema of a wanted object on", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", replyChunks([chatLine('{"port":'), chatLine("8082}"), chatEnd()]))
      const { value } = yield* LanguageModel.generateObject({
        prompt,
        schema: Schema.Struct({ port: Schema.Int })
      }).pipe(Effect.provide(modelOf(double)))
      assert.deepStrictEqual(value, { port: 8082 })
      const { body } = yield* Queue.take(double.received)
      const format = body["format"] as { readonly type: string; readonly required: ReadonlyArray<string> }
      assert.deepStrictEqual([format.type, format.required], ["object", ["port"]])
    })
  )

  it.effect("tells core what a prompt has to fit into", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const context = yield* Effect.provide(
        ModelContext,
        modelOf(double, { contextTokens: 4096, answerTokens: 256 })
      )
      assert.deepStrictEqual(
        [
          context.model,
          context.contextTokens,
          context.reservedOutputTokens,
          context.estimateTokens("two words")
        ],
        ["m", 4096, 256, 3]
      )
    })
  )

  it.effect("tells what the model was made for once the server has told it, and asks no more", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const told: Array<number | undefined> = []
      yield* Effect.gen(function* () {
        const { ownTokens = Effect.die("absent") } = yield* ModelContext
        const ask = Effect.map(ownTokens, (tokens) => told.push(tokens))
        yield* ask
        double.on("/api/show", replyJson({ model_info: { "llama.context_length": 2048 } }))
        yield* ask
        double.on("/api/show", replyJson({ error: "busy" }, 500))
        yield* ask
      }).pipe(Effect.provide(modelOf(double)))
      assert.deepStrictEqual(told, [undefined, 2048, 2048])
      assert.strictEqual(yield* Queue.size(double.received), 2)
    })
  )

  it.effect("refuses what it cannot send, before it asks", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const toolkit = Toolkit.make(Tool.make("look", { success: Schema.String }))
      const withTool = LanguageModel.generateText({ prompt, toolkit, disableToolCallResolution: true }).pipe(
        Effect.provide(toolkit.toLayer({ look: () => Effect.succeed("") }))
      )
      const picture = LanguageModel.generateText({
        prompt: [
          { role: "user", content: [{ type: "file", mediaType: "image/png", data: new Uint8Array([1]) }] }
        ]
      })
      const model = modelOf(double)
      assert.include((yield* Effect.flip(Effect.provide(withTool, model))).message, "tools are not supported")
      assert.include((yield* Effect.flip(Effect.provide(picture, model))).message, "only text can be sent")
      assert.strictEqual(yield* Queue.size(double.received), 0)
    })
  )
})

describe("language model ollama: one error of effect/ai for each failure", () => {
  const failures: ReadonlyArray<readonly [string, Handler, string, boolean]> = [
    ["model missing", replyJson({ error: 'model "m" not found' }, 404), "InvalidRequestError", false],
    [
      "context exceeded",
      replyJson({ error: "exceeds the context length" }, 400),
      "InvalidRequestError",
      false
    ],
    ["status 500", replyJson({ error: "died" }, 500), "InternalProviderError", true],
    ["not JSON", replyChunks([chatLine("a"), "oops\n"]), "InvalidResponseError", false],
    ["ended early", replyChunks([chatLine("a")]), "NetworkError", true]
  ]
  for (const [name, handler, reason, retryable] of failures) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", handler)
        const works = [
          LanguageModel.generateText({ prompt }).pipe(Effect.asVoid),
          Stream.runDrain(LanguageModel.streamText({ prompt }))
        ]
        for (const work of works) {
          const error = yield* Effect.flip(Effect.provide(work, modelOf(double)))
          assert.isTrue(error._tag === "AiError")
          if (error._tag !== "AiError") return
          assert.strictEqual(error.reason._tag, reason)
          assert.strictEqual(error.reason.isRetryable, retryable)
        }
      })
    )
  }
})

describe("language model ollama: many at once", () => {
  it.live(
    "no more than allowed are under way; who leaves while waiting or while answered frees the place",
    () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", (_, response) => void response.writeHead(200).write(chatLine("a")))
        yield* Effect.gen(function* () {
          const ask = Stream.runDrain(LanguageModel.streamText({ prompt }))
          const [first, second, third] = yield* Effect.all([
            Effect.forkChild(ask, { startImmediately: true }),
            Effect.forkChild(ask, { startImmediately: true }),
            Effect.forkChild(ask, { startImmediately: true })
          ])
          yield* Queue.take(double.received)
          yield* Queue.take(double.received)
          assert.strictEqual(double.underWay(), 2)
          yield* Fiber.interrupt(third)
          const fourth = yield* Effect.forkChild(ask, { startImmediately: true })
          assert.strictEqual(yield* Queue.size(double.received), 0)
          yield* Fiber.interrupt(first)
          yield* Queue.take(double.received)
          yield* Fiber.interruptAll([second, fourth])
        }).pipe(Effect.provide(modelOf(double, { concurrency: 2 })))
        yield* Effect.forEach([1, 2, 3], () => Queue.take(double.abandoned))
        assert.strictEqual(double.underWay(), 0)
      })
  )

  it.live("a thousand that wait leave at once, and the next is answered", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", (_, response) => void response.writeHead(200).write(chatLine("a")))
      yield* Effect.gen(function* () {
        const ask = Stream.runDrain(LanguageModel.streamText({ prompt }))
        const fibers = yield* Effect.forEach(Array.from({ length: 1000 }), () =>
          Effect.forkChild(ask, { startImmediately: true })
        )
        yield* Queue.take(double.received)
        yield* Queue.take(double.received)
        yield* Fiber.interruptAll(fibers)
        yield* Effect.forEach([1, 2], () => Queue.take(double.abandoned))
        assert.deepStrictEqual([double.underWay(), yield* Queue.size(double.received)], [0, 0])
        double.on("/api/chat", replyChunks([chatLine("a"), chatEnd()]))
        assert.strictEqual((yield* LanguageModel.generateText({ prompt })).text, "a")
      }).pipe(Effect.provide(modelOf(double, { concurrency: 2 })))
    })
  )

  it.live("200 streams, all cancelled", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", (_, response) => void response.writeHead(200).write(chatLine("a")))
      yield* Effect.gen(function* () {
        const seen = yield* Queue.unbounded<string>()
        const fibers = yield* Effect.forEach(Array.from({ length: 200 }), () =>
          LanguageModel.streamText({ prompt }).pipe(
            Stream.runForEach((part) =>
              part.type === "text-delta" ? Queue.offer(seen, part.delta) : Effect.void
            ),
            Effect.forkChild
          )
        )
        yield* Effect.forEach(fibers, () => Queue.take(seen))
        yield* Fiber.interruptAll(fibers)
        yield* Effect.forEach(fibers, () => Queue.take(double.abandoned))
        assert.strictEqual(double.underWay(), 0)
      }).pipe(Effect.provide(modelOf(double, { concurrency: 200 })))
    })
  )
})

describe("language model ollama: options and health", () => {
  it.effect("every fault of the options is reported with its path", () =>
    Effect.gen(function* () {
      const faults = yield* ollamaModel.check({
        model: "",
        contextTokens: 1,
        timeouts: { idle: 0 },
        retries: -1,
        keepAlive: "for ever",
        tempreature: 0
      })
      assert.deepStrictEqual(faults.map(({ path }) => path).toSorted(), [
        "contextTokens",
        "keepAlive",
        "model",
        "retries",
        "tempreature",
        "timeouts.idle"
      ])
      assert.deepStrictEqual(yield* ollamaModel.check({ contextTokens: 1024, answerTokens: 600 }), [
        {
          path: "(root)",
          message: "answerTokens may be half of contextTokens at most: the prompt has to fit in as well"
        }
      ])
      assert.deepStrictEqual(yield* ollamaModel.check({}), [])
    })
  )

  it.effect("the health check names the model", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      describeModels(double)
      const checks = yield* Effect.provide(
        HealthChecks.use(({ run }) => run),
        modelOf(double, { model: "absent" })
      )
      assert.deepStrictEqual(
        checks.map(({ name, healthy }) => [name, healthy]),
        [["ollama languageModel", false]]
      )
      assert.match(checks[0]?.detail ?? "", /does not have the model "absent"; run: ollama pull absent$/)
    })
  )
})
