import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Queue, Stream } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type ServerResponse } from "node:http"
import { clientFor, question, texts, timeouts } from "./clientOfDouble.ts"
import { chatEnd, chatLine, type Handler, makeOllamaDouble, replyChunks } from "@omnirag/testkit/OllamaDouble"

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

  for (const connect of [5, 310]) {
    it.effect(`no connection within ${connect} s`, () =>
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
        const client = clientFor(`https://127.0.0.1:${port}`, { timeouts: { ...timeouts, connect } })
        const fiber = yield* Effect.forkChild(Effect.flip(texts(client)))
        yield* accepted.await
        yield* TestClock.adjust(`${connect - 1} seconds`)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error.reason, "unreachable")
        assert.match(
          error.message,
          new RegExp(`could not be connected to within ${connect} s; see the option timeouts.connect$`)
        )
      })
    )
  }
})
