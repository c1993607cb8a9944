import { assert, describe, it } from "@effect/vitest"
import { Shutdown } from "@omnirag/http"
import { Context, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { CloseCode, MessageType, stringifyMessage } from "graphql-ws"
import { WebSocket } from "ws"
import { baseUrl, openSse, request, socketClient, sseEvents } from "./client.ts"
import { answering, hit, serve } from "./doubles.ts"
import { active, makeEndless, until } from "./live.ts"

const subscription = 'subscription { ask(question: "q") { __typename } }'
const init = stringifyMessage<MessageType.ConnectionInit>({ type: MessageType.ConnectionInit })
const subscribe = (id: string) =>
  stringifyMessage<MessageType.Subscribe>({
    id,
    type: MessageType.Subscribe,
    payload: { query: subscription }
  })

/** A stream of one event that then goes on for ever. */
const unending = answering({
  stream: () =>
    Stream.concat(Stream.make({ _tag: "Sources" as const, sources: [hit(0)], warnings: [] }), Stream.never)
})

const nothingActive = Effect.forEach(["resolver", "stream", "socket"], (kind) =>
  until(active(kind), (count) => count === 0)
)

/** The close event of a raw socket that sends these messages as soon as it may. */
const rawSocket = (messages: ReadonlyArray<string>, protocol = "graphql-transport-ws") =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.callback<{ readonly code: number; readonly reason: string }>((resume) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, protocol)
      socket.on("open", () => {
        for (const message of messages) socket.send(message)
      })
      socket.on("close", (code, reason) => resume(Effect.succeed({ code, reason: String(reason) })))
      return Effect.sync(() => socket.terminate())
    })
  )

describe("many subscriptions", () => {
  it.live("1,000 subscribe and complete cycles on one socket leave nothing behind", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const client = yield* socketClient({ lazyCloseTimeout: 60_000 })
        const cycle = (n: number) =>
          Effect.callback<void>((resume) => {
            const stop = client.subscribe(
              { query: subscription },
              {
                next: () => stop(),
                error: (error) => resume(Effect.die(error)),
                complete: () => resume(Effect.void)
              }
            )
            // every third leaves in the phase of subscribing, before the first event
            if (n % 3 === 0) stop()
          })
        yield* Effect.forEach(
          Array.from({ length: 1000 }, (_, n) => n),
          cycle,
          { concurrency: 20, discard: true }
        )
        yield* until(active("stream"), (count) => count === 0)
        yield* until(active("resolver"), (count) => count === 0)
        assert.strictEqual(yield* active("socket"), 1)
      }).pipe(Effect.scoped, Effect.provide(serve({ answering: unending })))
      yield* nothingActive
    }).pipe(Effect.timeout("60 seconds"))
  )

  it.live("sockets that are cut in every phase leave nothing behind", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const url = (yield* baseUrl).replace("http", "ws")
        const phases: ReadonlyArray<ReadonlyArray<string>> = [
          [],
          [init],
          [init, subscribe("1"), subscribe("2")]
        ]
        const cycle = (n: number) =>
          Effect.callback<void>((resume) => {
            const socket = new WebSocket(`${url}/graphql`, "graphql-transport-ws")
            const messages = phases[n % phases.length] ?? []
            socket.on("open", () => {
              socket.on("message", (data) => {
                const { type } = JSON.parse(String(data)) as { readonly type: string }
                if (type === "connection_ack" && messages.length > 1) {
                  for (const message of messages.slice(1)) socket.send(message)
                  if (n % 2 === 0) socket.terminate()
                } else socket.terminate()
              })
              if (messages[0] === undefined) socket.terminate()
              else socket.send(messages[0])
            })
            socket.on("close", () => resume(Effect.void))
          })
        yield* Effect.forEach(
          Array.from({ length: 200 }, (_, n) => n),
          cycle,
          { concurrency: 10, discard: true }
        )
        yield* nothingActive
      }).pipe(Effect.scoped, Effect.provide(serve({ answering: unending })))
    }).pipe(Effect.timeout("60 seconds"))
  )

  it.live("a socket runs so many operations and no more", () =>
    Effect.gen(function* () {
      const client = yield* socketClient()
      const operation = Effect.callback<string>((resume) => {
        client.subscribe(
          { query: subscription },
          {
            next: () => resume(Effect.succeed("runs")),
            error: (errors) => resume(Effect.succeed(JSON.stringify(errors))),
            complete: () => {}
          }
        )
      })
      assert.strictEqual(yield* operation, "runs")
      assert.strictEqual(yield* operation, "runs")
      assert.include(yield* operation, "GRAPHQL_LIMIT_EXCEEDED")
    }).pipe(
      Effect.scoped,
      Effect.provide(serve({ answering: unending }, { limits: { operationsPerSocket: 2 } })),
      Effect.timeout("20 seconds")
    )
  )
})

describe("the protocol", () => {
  it.live("faults of the client close its socket with the code for it", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* rawSocket([], "graphql-ws")).code, CloseCode.SubprotocolNotAcceptable)
      assert.strictEqual((yield* rawSocket([init, "not json"])).code, CloseCode.BadRequest)
      assert.strictEqual((yield* rawSocket([subscribe("1")])).code, CloseCode.Unauthorized)
      assert.strictEqual((yield* rawSocket([init, init])).code, CloseCode.TooManyInitialisationRequests)
      assert.strictEqual((yield* rawSocket(["x".repeat(2 << 20)])).code, 1009)
      assert.strictEqual((yield* rawSocket(["x".repeat(3000)])).code, CloseCode.BadRequest)
    }).pipe(Effect.provide(serve({}, { limits: { bodyBytes: 1 << 20 } })), Effect.timeout("20 seconds"))
  )

  it.live("a message above the limit closes the socket", () =>
    rawSocket(["x".repeat(3000)]).pipe(
      Effect.map(({ code }) => assert.strictEqual(code, 1009)),
      Effect.provide(serve({}, { limits: { bodyBytes: 2000 } })),
      Effect.timeout("20 seconds")
    )
  )
})

describe("a graceful stop", () => {
  it.live("completes live streams and closes sockets with 1001", () =>
    Effect.gen(function* () {
      const { service, started } = yield* makeEndless
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(serve({ answering: service }), scope)
      const [closed, sse] = yield* Effect.gen(function* () {
        const response = yield* openSse(subscription)
        const body = yield* Effect.forkChild(Effect.promise(() => response.text()))
        // the SSE stream has handed out its first event and is asked for the next
        yield* started.await
        const url = yield* baseUrl
        const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws")
        const messages: Array<{ readonly type: string }> = []
        const closed = yield* Effect.forkChild(
          Effect.callback<{ readonly code: number; readonly messages: typeof messages }>((resume) => {
            socket.on("open", () => socket.send(init))
            socket.on("message", (data) => {
              const message = JSON.parse(String(data)) as { readonly type: string }
              messages.push(message)
              if (message.type === "connection_ack") socket.send(subscribe("1"))
              if (message.type === "next") Context.get(context, Shutdown).openUnsafe()
            })
            socket.on("close", (code) => resume(Effect.succeed({ code, messages })))
          })
        )
        return [yield* Fiber.join(closed), yield* Fiber.join(body)] as const
      }).pipe(Effect.provideContext(context))
      assert.strictEqual(closed.code, 1001)
      assert.deepStrictEqual(
        closed.messages.map(({ type }) => type),
        ["connection_ack", "next", "complete"]
      )
      assert.deepStrictEqual(
        sseEvents(sse).map(({ event }) => event),
        ["next", "complete"]
      )
      yield* Scope.close(scope, Exit.void)
      yield* nothingActive
    }).pipe(Effect.timeout("20 seconds"))
  )

  it.live("the server does not wait for idle clients", () =>
    Effect.gen(function* () {
      const response = yield* request("/health")
      assert.strictEqual(response.status, 200)
      yield* Effect.promise(() => response.text())
    }).pipe(Effect.provide(serve()), Effect.timeout("10 seconds"))
  )
})
