import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Queue, Stream } from "effect"
import { parseOllamaUrl } from "../../src/ollama/ollamaUrl.ts"
import { clientFor, question, texts } from "./clientOfDouble.ts"
import {
  chatEnd,
  chatLine,
  type Handler,
  makeOllamaDouble,
  replyChunks,
  replyJson
} from "@omnirag/testkit/OllamaDouble"

describe("OllamaClient: answers", () => {
  const whole = chatLine("Grüße ") + chatLine("🚀 {") + chatEnd()
  const bytes = new TextEncoder().encode(whole)
  it.effect("arrive the same in one piece, one byte at a time, and cut inside a code point", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const rocket = bytes.indexOf(0xf0)
      const cuts = [
        [bytes],
        Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)),
        [bytes.subarray(0, rocket + 2), bytes.subarray(rocket + 2)]
      ]
      for (const chunks of cuts) {
        double.on("/api/chat", replyChunks(chunks))
        assert.deepStrictEqual(yield* texts(clientFor(double.url)), ["Grüße ", "🚀 {", ""])
      }
    })
  )

  it.effect(
    "are read with a byte order mark, line ends of Windows, blank lines, and an error that is none",
    () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        const odd = `\ufeff${chatLine("a")}\n${chatLine("b").replace("}\n", ',"error":null}\n')}\n \n${chatEnd()}`
        double.on("/api/chat", replyChunks([odd.replaceAll("\n", "\r\n")]))
        assert.deepStrictEqual(yield* texts(clientFor(double.url)), ["a", "b", ""])
      })
  )

  it.effect("are asked for below the path of a proxy, with the login of the address", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      let authorization: string | undefined
      double.on("/ollama/api/chat", (request, response) => {
        authorization = response.req.headers.authorization
        replyChunks([whole])(request, response)
      })
      const address = `${double.url.replace("//", "//me:100%:p@ss%20@")}/ollama/`
      yield* texts(clientFor(Option.getOrThrow(parseOllamaUrl(address))))
      assert.strictEqual(authorization, `Basic ${Buffer.from("me:100%:p@ss ").toString("base64")}`)
    })
  )

  it.effect("send the request as given, streamed", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", replyChunks([whole]))
      yield* texts(clientFor(`${double.url}/`))
      const received = yield* Queue.take(double.received)
      assert.deepStrictEqual(received.body, { ...question, stream: true })
    })
  )
})

describe("OllamaClient: repetition", () => {
  it.live("embedding is repeated after a 500 and a broken connection, a bounded number of times", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const script: Array<Handler> = [
        replyJson({ error: "busy" }, 500),
        (_, response) => void response.destroy(),
        replyJson({ embeddings: [[1]], prompt_eval_count: 3 })
      ]
      double.on("/api/embed", (request, response) => script.shift()?.(request, response))
      const client = clientFor(double.url, { retries: 2 })
      assert.deepStrictEqual(yield* client.embed({ model: "m", input: ["a"] }), {
        embeddings: [[1]],
        tokens: 3
      })

      double.on("/api/embed", replyJson({ error: "busy" }, 500))
      assert.strictEqual((yield* Effect.flip(client.embed({ model: "m", input: ["a"] }))).reason, "server")
      assert.strictEqual(yield* Queue.size(double.received), 3 + 3)
    })
  )

  it.live("what the caller got wrong is not repeated", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/embed", replyJson({ error: "invalid input" }, 400))
      yield* Effect.flip(clientFor(double.url, { retries: 5 }).embed({ model: "m", input: ["a"] }))
      assert.strictEqual(yield* Queue.size(double.received), 1)
    })
  )
})

describe("OllamaClient: cancellation reaches the server", () => {
  const phases: ReadonlyArray<readonly [string, Handler]> = [
    ["before the first byte", () => {}],
    ["in mid-stream", (_, response) => void response.writeHead(200).write(chatLine("a"))]
  ]
  for (const [name, handler] of phases) {
    it.live(name, () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", handler)
        double.on("/api/embed", handler)
        const client = clientFor(double.url)
        for (const work of [
          Stream.runDrain(client.chat(question)),
          Effect.asVoid(client.embed({ model: "m", input: ["a"] }))
        ]) {
          const fiber = yield* Effect.forkChild(work)
          const { path } = yield* Queue.take(double.received)
          yield* Fiber.interrupt(fiber)
          const seen = yield* Effect.timeout(Queue.take(double.abandoned), "1 second")
          assert.strictEqual(seen, path)
        }
        assert.strictEqual(double.underWay(), 0)
      })
    )
  }

  it.live("a consumer that stops after the first token, 200 times at once", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", (_, response) => void response.writeHead(200).write(chatLine("a")))
      const client = clientFor(double.url)
      const firsts = yield* Effect.forEach(
        Array.from({ length: 200 }),
        () => Stream.runCollect(Stream.take(client.chat(question), 1)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(firsts.length, 200)
      yield* Effect.forEach(firsts, () => Queue.take(double.abandoned))
      assert.strictEqual(double.underWay(), 0)
    })
  )
})
