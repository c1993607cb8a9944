import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Deferred, Effect, type Scope } from "effect"
import type { HttpServer } from "effect/http"
import { vi } from "vitest"
import { jsonHeaders, openSse, request, socketClient } from "./client.ts"
import { serve } from "./doubles.ts"
import { active, makeEndless, until } from "./live.ts"

const query = '{ ask(question: "q") { text } }'
const subscription = 'subscription { ask(question: "q") { __typename } }'
const nobody = { next: () => {}, error: () => {}, complete: () => {} }

type Leave = Effect.Effect<unknown>

/** Starts work through `enter`, waits until it is under way, leaves, and waits until the work is interrupted. */
const interruptedAfter = (enter: Effect.Effect<Leave, never, HttpServer.HttpServer | Scope.Scope>) =>
  Effect.gen(function* () {
    const { service, started, interrupted } = yield* makeEndless
    return yield* Effect.gen(function* () {
      const leave = yield* enter
      yield* started.await
      const left = performance.now()
      yield* leave
      const elapsed = (yield* Deferred.await(interrupted)) - left
      yield* until(active("resolver"), (count) => count === 0)
      yield* until(active("stream"), (count) => count === 0)
      return elapsed
    }).pipe(Effect.scoped, Effect.provide(serve({ answering: service })))
  }).pipe(
    // far above the 5 to 10 ms it takes, far below yoga's ping every 12 s, by which a late server notices
    Effect.timeout("5 seconds"),
    Effect.tap((elapsed) => Effect.logInfo(`interrupted ${elapsed.toFixed(1)} ms after the client left`)),
    Effect.orDie
  )

describe("a client that leaves interrupts the work", () => {
  // in test mode yoga pings every 300 ms, which would hide a disconnect that goes unnoticed
  beforeAll(() => void vi.stubEnv("NODE_ENV", "production"))
  afterAll(() => void vi.unstubAllEnvs())

  it.live("query over HTTP", () =>
    interruptedAfter(
      Effect.gen(function* () {
        const controller = new AbortController()
        yield* request("/graphql", {
          method: "POST",
          headers: jsonHeaders,
          body: JSON.stringify({ query }),
          signal: controller.signal
        }).pipe(
          Effect.catchDefect(() => Effect.void),
          Effect.forkScoped({ startImmediately: true })
        )
        return Effect.sync(() => controller.abort())
      })
    )
  )

  it.live("subscription over SSE", () =>
    interruptedAfter(
      Effect.gen(function* () {
        const controller = new AbortController()
        const response = yield* openSse(subscription, { signal: controller.signal })
        assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
        // a reader that takes what comes, as a browser does
        yield* Effect.promise(() => response.text()).pipe(
          Effect.catchDefect(() => Effect.void),
          Effect.forkScoped({ startImmediately: true })
        )
        return Effect.sync(() => controller.abort())
      })
    )
  )

  for (const [name, document] of Object.entries({ query, subscription })) {
    it.live(`${name} over WebSocket, completed by the client`, () =>
      interruptedAfter(
        // the socket stays open, so that it is the message that stops the work
        Effect.map(socketClient({ lazyCloseTimeout: 60_000 }), (client) => {
          const complete = client.subscribe({ query: document }, nobody)
          return Effect.sync(complete)
        })
      )
    )

    it.live(`${name} over WebSocket, connection lost`, () =>
      interruptedAfter(
        Effect.map(socketClient(), (client) => {
          client.subscribe({ query: document }, nobody)
          return Effect.sync(() => client.terminate())
        })
      )
    )
  }
})
