import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Ref, type Scope, Stream } from "effect"
import type { HttpServer } from "effect/http"
import { MessageType, stringifyMessage } from "graphql-ws"
import { connect, type Socket } from "node:net"
import { WebSocket } from "ws"
import { baseUrl, collect, socketClient } from "./client.ts"
import { answering, serve } from "./doubles.ts"
import { active, makeCounting, until } from "./live.ts"

const subscription = 'subscription { ask(question: "q") { ... on Token { text } } }'

/** What 4 MB of kernel buffers on either side can swallow, and more: a producer that ran ahead would pass it. */
const tokens = 50_000
const tokenSize = 1000

/** Waits until the producer rests: the event loop has gone round often without a token taken. */
const rests = (produced: Ref.Ref<number>): Effect.Effect<number> =>
  Effect.gen(function* () {
    let before = -1
    let rounds = 0
    while (rounds < 2000) {
      const now = yield* Ref.get(produced)
      rounds = now === before ? rounds + 1 : 0
      before = now
      yield* Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))
    }
    return before
  }).pipe(Effect.timeout("20 seconds"), Effect.orDie)

/** A WebSocket that subscribes and then reads nothing more from the network. */
const deafSocket = Effect.flatMap(baseUrl, (url) =>
  Effect.acquireRelease(
    Effect.callback<WebSocket>((resume) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws")
      socket.on("open", () =>
        socket.send(stringifyMessage<MessageType.ConnectionInit>({ type: MessageType.ConnectionInit }))
      )
      socket.once("message", () => {
        socket.send(
          stringifyMessage<MessageType.Subscribe>({
            id: "1",
            type: MessageType.Subscribe,
            payload: { query: subscription }
          })
        )
        socket.pause()
        resume(Effect.succeed(socket))
      })
    }),
    (socket) => Effect.sync(() => socket.terminate())
  )
)

/** An HTTP client that asks for events and reads nothing. */
const deafSse = Effect.flatMap(baseUrl, (url) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname, () => {
        const body = JSON.stringify({ query: subscription })
        socket.pause()
        socket.write(
          `POST /graphql HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
        )
        resume(Effect.succeed(socket))
      })
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )
)

const deaf: Record<string, Effect.Effect<unknown, never, HttpServer.HttpServer | Scope.Scope>> = {
  WebSocket: deafSocket,
  SSE: deafSse
}

const others = Effect.gen(function* () {
  const client = yield* socketClient()
  return yield* collect(client, 'subscription { ask(question: "other") { __typename } }')
})

describe("a subscriber that does not read", () => {
  for (const [transport, subscribe] of Object.entries(deaf)) {
    it.live(`${transport}: holds back its own stream alone, and frees it when it goes`, () =>
      Effect.gen(function* () {
        const { service, produced, ended } = yield* makeCounting(tokenSize)
        const both = answering({
          stream: (request) =>
            request.question === "other" ? answering().stream(request) : service.stream(request)
        })
        yield* Effect.gen(function* () {
          const fiber = yield* Effect.forkScoped(Effect.scoped(Effect.andThen(subscribe, Effect.never)))
          yield* until(Ref.get(produced), (count) => count > 0)
          const taken = yield* rests(produced)
          yield* Effect.logInfo(`${transport}: ${taken} tokens of ${tokenSize} bytes taken, then held back`)
          assert.isBelow(taken, tokens)
          const results = yield* others
          assert.strictEqual(results.length, 4)
          assert.strictEqual(yield* Ref.get(produced), taken)
          yield* Fiber.interrupt(fiber)
          yield* ended.await
        }).pipe(Effect.scoped, Effect.provide(serve({ answering: both })))
        yield* until(active("stream"), (count) => count === 0)
      }).pipe(Effect.timeout("30 seconds"))
    )

    it.live(`${transport}: loses its stream after a while`, () =>
      Effect.gen(function* () {
        const { service, ended } = yield* makeCounting(tokenSize)
        yield* Effect.andThen(subscribe, ended.await).pipe(
          Effect.scoped,
          Effect.provide(serve({ answering: service }, { stallAfterMs: 50 }))
        )
      }).pipe(Effect.timeout("30 seconds"))
    )
  }

  it.live("a peer that is silent for two pings is cut off", () =>
    Effect.gen(function* () {
      const { service, ended } = yield* makeCounting(tokenSize)
      yield* Effect.andThen(deafSocket, ended.await).pipe(
        Effect.scoped,
        Effect.provide(serve({ answering: service }, { pingEveryMs: 50 }))
      )
    }).pipe(Effect.timeout("30 seconds"))
  )

  it.live("a peer that answers pings stays", () =>
    Effect.gen(function* () {
      const pinged = yield* Latch.make()
      const service = answering({
        stream: (request) =>
          Stream.fromEffectDrain(pinged.await).pipe(Stream.concat(answering().stream(request)))
      })
      let pings = 0
      const on = { ping: () => void (++pings === 4 && pinged.openUnsafe()) }
      const results = yield* Effect.flatMap(socketClient({ on }), (client) =>
        collect(client, subscription)
      ).pipe(Effect.scoped, Effect.provide(serve({ answering: service }, { pingEveryMs: 200 })))
      assert.strictEqual(results.length, 4)
    }).pipe(Effect.timeout("30 seconds"))
  )
})
