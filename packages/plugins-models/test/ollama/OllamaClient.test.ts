import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type ServerResponse } from "node:http"
import { longestLine } from "../../src/ollama/guardLines.ts"
import { makeOllamaClient, type OllamaClientOptions } from "../../src/ollama/OllamaClient.ts"
import { chatEnd, chatLine, type Handler, makeOllamaDouble, replyChunks, replyJson } from "./OllamaDouble.ts"

const timeouts = { connect: 5, firstByte: 600, idle: 120, total: 3600 }
const clientFor = (url: string, options: Partial<OllamaClientOptions> = {}) =>
  makeOllamaClient({ url, timeouts, retries: 0, retryDelay: 1, ...options })
const question = { model: "m", messages: [{ role: "user", content: "?" }] }
const texts = (client: ReturnType<typeof clientFor>) =>
  Stream.runCollect(Stream.map(client.chat(question), (line) => line.message.content))

/** Advances the test clock in steps until the fiber has ended; real reads and writes go on between the steps. */
const advanceUntilDone = Effect.fnUntraced(function* <A, E>(fiber: Fiber.Fiber<A, E>, seconds: number) {
  let passed = 0
  while (fiber.pollUnsafe() === undefined) {
    assert.isBelow(passed, 10_000, "the fiber should have ended by now")
    yield* TestClock.adjust(`${seconds} seconds`)
    passed += seconds
    yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
  }
  return { passed, exit: yield* Fiber.await(fiber) }
})

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

describe("OllamaClient: one typed error for each failure", () => {
  const failures: ReadonlyArray<readonly [string, Handler, string, RegExp]> = [
    [
      "model missing",
      replyJson({ error: 'model "m" not found, try pulling it first' }, 404),
      "missingModel",
      /ollama pull m$/
    ],
    ["status 500", replyJson({ error: "llama runner died" }, 500), "server", /500: llama runner died/],
    [
      "status 500 in plain text",
      (_, r) => void r.writeHead(502).end("bad gateway"),
      "server",
      /502: bad gateway/
    ],
    ["status 400", replyJson({ error: "invalid option" }, 400), "request", /400: invalid option/],
    [
      "prompt too long",
      replyJson({ error: "the input length exceeds the context length" }, 400),
      "contextExceeded",
      /context length/
    ],
    [
      "a line that is not JSON",
      replyChunks([chatLine("a"), "{oops}\n", chatEnd()]),
      "protocol",
      /not JSON: \{oops\}/
    ],
    ["half a line at the end", replyChunks([chatLine("a"), chatEnd().slice(0, 20)]), "protocol", /not JSON/],
    [
      "done: false at the end",
      replyChunks([chatLine("a"), chatLine("b")]),
      "closed",
      /before it was complete/
    ],
    ["nothing at all", replyChunks([]), "closed", /before it was complete/],
    [
      "an error line",
      replyChunks([chatLine("a"), '{"error":"out of memory"}\n']),
      "server",
      /broke off the answer: out of memory$/
    ],
    [
      "bytes that are not UTF-8",
      replyChunks([chatLine("a"), new Uint8Array([0x22, 0xff, 0x0a])]),
      "protocol",
      /UTF-8/
    ],
    [
      "a line without end",
      replyChunks([chatLine("a"), "x".repeat(longestLine + 1)]),
      "protocol",
      /a line of more than/
    ],
    [
      "connection closed in mid-stream",
      (_, response) => {
        response.writeHead(200)
        response.write(chatLine("a"), () => response.destroy())
      },
      "closed",
      /broke off/
    ],
    [
      "connection closed before the answer",
      (_, response) => void response.destroy(),
      "closed",
      /closed the connection/
    ]
  ]
  for (const [name, handler, reason, message] of failures) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", handler)
        const error = yield* Effect.flip(texts(clientFor(double.url, { retries: 3 })))
        assert.strictEqual(error.reason, reason)
        assert.match(error.message, message)
        // asked once: a question is never repeated after it was taken
        assert.strictEqual(yield* Queue.size(double.received), 1)
      })
    )
  }

  it.live("server refused: names the URL without its login, and how to set it", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(makeOllamaDouble, (double) => new URL(double.url).port))
      const error = yield* Effect.flip(texts(clientFor(`http://me:secret@127.0.0.1:${port}`, { retries: 2 })))
      assert.strictEqual(error.reason, "unreachable")
      assert.strictEqual(
        error.message,
        `Ollama at http://127.0.0.1:${port} cannot be reached (ECONNREFUSED); start it with "ollama serve", or set the option url or the environment variable OLLAMA_HOST to where it runs`
      )
    })
  )

  it.effect("an embed answer that is not JSON", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/embed", replyChunks(['{"embeddings":[[NaN]]}']))
      const error = yield* Effect.flip(clientFor(double.url).embed({ model: "m", input: ["a"] }))
      assert.strictEqual(error.reason, "protocol")
    })
  )

  it.effect("a model that is not in the list names the pull command; the tag may be left out", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/tags", replyJson({ models: [{ name: "hub/m:latest", digest: "d" }] }))
      const client = clientFor(double.url)
      assert.strictEqual(yield* client.digest("hub/m"), "d")
      assert.match((yield* Effect.flip(client.digest("hub/m:7b"))).message, /ollama pull hub\/m:7b$/)
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

describe("OllamaClient: timeouts", () => {
  /** Holds the answer back until the latch opens. */
  const whenOpen =
    (latch: Latch.Latch, handler: Handler): Handler =>
    (request, response) => {
      Effect.runFork(
        Effect.andThen(
          latch.await,
          Effect.sync(() => handler(request, response))
        )
      )
    }

  it.effect("a first byte after 310 s is waited for when the timeout is longer", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      const latch = yield* Latch.make()
      double.on("/api/chat", whenOpen(latch, replyChunks([chatLine("late"), chatEnd()])))
      const fiber = yield* Effect.forkChild(texts(clientFor(double.url)))
      yield* Queue.take(double.received)
      yield* TestClock.adjust("310 seconds")
      yield* latch.open
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["late", ""])
    })
  )

  for (const firstByte of [5, 299, 305]) {
    it.effect(`no first byte within ${firstByte} s`, () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", () => {})
        const client = clientFor(double.url, { timeouts: { ...timeouts, firstByte } })
        const fiber = yield* Effect.forkChild(Effect.flip(texts(client)))
        yield* Queue.take(double.received)
        yield* TestClock.adjust(`${firstByte - 1} seconds`)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error.reason, "timeout")
        assert.match(error.message, new RegExp(`within ${firstByte} s; see the option timeouts.firstByte$`))
        assert.strictEqual(yield* Queue.take(double.abandoned), "/api/chat")
      })
    )
  }

  for (const idle of [30, 400]) {
    it.effect(`a stall of ${idle} s in mid-stream`, () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", (_, response) => {
          response.writeHead(200)
          response.write(chatLine("a"))
        })
        const client = clientFor(double.url, { timeouts: { ...timeouts, idle } })
        const seen = yield* Queue.unbounded<string>()
        const fiber = yield* client.chat(question).pipe(
          Stream.runForEach((line) => Queue.offer(seen, line.message.content)),
          Effect.flip,
          Effect.forkChild
        )
        assert.strictEqual(yield* Queue.take(seen), "a")
        const { passed, exit } = yield* advanceUntilDone(fiber, 10)
        assert.isAtLeast(passed, idle)
        assert.isAtMost(passed, 2 * idle + 20)
        assert.isTrue(Exit.isSuccess(exit) && exit.value.message.endsWith("timeouts.idle"))
        assert.strictEqual(yield* Queue.take(double.abandoned), "/api/chat")
      })
    )
  }

  it.effect("a slow reader is no stall", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/chat", replyChunks([chatLine("a"), chatLine("b"), chatEnd()]))
      const seen = yield* Queue.unbounded<string>()
      const fiber = yield* clientFor(double.url)
        .chat(question)
        .pipe(
          Stream.runForEach((line) =>
            Effect.andThen(Queue.offer(seen, line.message.content), Effect.sleep("1000 seconds"))
          ),
          Effect.forkChild
        )
      yield* Queue.take(seen)
      yield* advanceUntilDone(fiber, 100)
      assert.deepStrictEqual(yield* Queue.takeAll(seen), ["b", ""])
      yield* Fiber.join(fiber)
    })
  )

  it.effect("an answer that never ends", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      let answer: ServerResponse | undefined
      double.on("/api/chat", (_, response) => {
        response.writeHead(200)
        answer = response
        response.write(chatLine("."))
      })
      const fiber = yield* clientFor(double.url, { timeouts: { ...timeouts, total: 700 } })
        .chat(question)
        .pipe(
          Stream.runForEach(() => Effect.sync(() => answer?.write(chatLine(".")))),
          Effect.flip,
          Effect.forkChild
        )
      const { passed, exit } = yield* advanceUntilDone(fiber, 50)
      assert.strictEqual(passed, 700)
      assert.isTrue(Exit.isSuccess(exit) && exit.value.message.endsWith("timeouts.total"))
    })
  )

  it.effect("no connection", () =>
    Effect.gen(function* () {
      // a server that takes connections without ever speaking TLS: the handshake never ends
      const silent = createServer()
      silent.removeAllListeners("connection")
      const port = yield* Effect.acquireRelease(
        Effect.callback<number>((resume) => {
          silent.listen(0, "127.0.0.1", () => {
            const address = silent.address()
            resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
          })
        }),
        () => Effect.sync(() => silent.close())
      )
      const accepted = yield* Latch.make()
      silent.on("connection", (socket) => {
        socket.on("error", () => {})
        accepted.openUnsafe()
      })
      const fiber = yield* Effect.forkChild(Effect.flip(texts(clientFor(`https://127.0.0.1:${port}`))))
      yield* accepted.await
      yield* TestClock.adjust("5 seconds")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason, "unreachable")
      assert.match(error.message, /could not be connected to within 5 s; see the option timeouts.connect$/)
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
