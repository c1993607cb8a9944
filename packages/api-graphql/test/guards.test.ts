import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { request as httpRequest } from "node:http"
import { WebSocket } from "ws"
import { baseUrl, codeOf, jsonHeaders, postBody, request } from "./client.ts"
import { serve } from "./doubles.ts"
import { loopbackHosts } from "@omnirag/http"

const query = encodeURIComponent("{ sources { name } }")
const body = JSON.stringify({ query: "{ sources { name } }" })

const status = (path: string, init: RequestInit = {}) =>
  Effect.map(request(path, init), (response) => response.status)

/** A request with any headers, `host` included, which fetch does not let a page set. */
const rawStatus = (headers: Record<string, string>) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.callback<number | undefined>((resume) => {
      httpRequest(
        `${url}/graphql`,
        { method: "POST", headers: { ...jsonHeaders, ...headers } },
        (response) => {
          response.resume()
          resume(Effect.succeed(response.statusCode))
        }
      ).end(body)
    })
  )

/** "open", or the HTTP status that refused the WebSocket. */
const upgrade = (headers: Record<string, string>) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.callback<string>((resume) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
        headers
      })
      socket.on("open", () => {
        socket.close()
        resume(Effect.succeed("open"))
      })
      socket.on("unexpected-response", (_request, response) =>
        resume(Effect.succeed(String(response.statusCode)))
      )
      socket.on("error", (error) => resume(Effect.succeed(error.message)))
    })
  )

const allowed = "https://app.example"

describe("cross-site requests", () => {
  layer(serve(), { excludeTestServices: true })("by default", (it) => {
    it.effect("what a page of another origin can send without a preflight is refused", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* status(`/graphql?query=${query}`), 403)
        for (const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
          ""
        ]) {
          const response = yield* request("/graphql", {
            method: "POST",
            headers: { "content-type": type },
            body
          })
          assert.strictEqual(response.status, 403)
          assert.strictEqual(codeOf(yield* Effect.promise(async () => response.json())), "CSRF_PREVENTED")
        }
      })
    )

    it.effect(
      "JSON passes, and so do a header a page cannot set and the browser's word for the same origin",
      () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* postBody(body)).status, 200)
          const headers = { accept: "application/json" }
          for (const proof of [{ "graphql-require-preflight": "1" }, { "x-graphql-yoga-csrf": "1" }]) {
            assert.strictEqual(
              yield* status(`/graphql?query=${query}`, { headers: { ...headers, ...proof } }),
              200
            )
          }
          assert.strictEqual(yield* rawStatus({ "sec-fetch-site": "same-origin" }), 200)
        })
    )

    it.effect("a mutation over GET is refused", () =>
      Effect.gen(function* () {
        const mutation = encodeURIComponent('mutation { deleteDocuments(ids: ["a"]) }')
        const headers = { "graphql-require-preflight": "1", accept: "application/json" }
        assert.strictEqual(yield* status(`/graphql?query=${mutation}`, { headers }), 405)
      })
    )

    it.effect("no origin is granted anything", () =>
      Effect.gen(function* () {
        const preflight = yield* request("/graphql", {
          method: "OPTIONS",
          headers: { origin: allowed, "access-control-request-method": "POST" }
        })
        assert.isNull(preflight.headers.get("access-control-allow-origin"))
        const response = yield* request("/graphql", {
          method: "POST",
          headers: { ...jsonHeaders, origin: allowed },
          body
        })
        assert.isNull(response.headers.get("access-control-allow-origin"))
      })
    )

    it.effect("a page of another origin may not open a WebSocket; its own page and other clients may", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* upgrade({ origin: "https://evil.example" }), "403")
        assert.strictEqual(yield* upgrade({ origin: "null" }), "403")
        assert.strictEqual(yield* upgrade({ origin: yield* baseUrl }), "open")
        assert.strictEqual(yield* upgrade({}), "open")
      })
    )
  })

  layer(serve({}, { allowedOrigins: [allowed], allowedHosts: [...loopbackHosts] }), {
    excludeTestServices: true
  })("with allowed origins and hosts", (it) => {
    it.effect("an allowed origin may ask and subscribe, another may not", () =>
      Effect.gen(function* () {
        for (const origin of [allowed, "https://evil.example"]) {
          const preflight = yield* request("/graphql", {
            method: "OPTIONS",
            headers: {
              origin,
              "access-control-request-method": "POST",
              "access-control-request-headers": "content-type"
            }
          })
          const granted = preflight.headers.get("access-control-allow-origin")
          assert.strictEqual(granted === origin, origin === allowed)
          assert.notStrictEqual(granted, "*")
          assert.notStrictEqual(preflight.headers.get("access-control-allow-credentials"), "true")
        }
        assert.strictEqual(yield* upgrade({ origin: allowed }), "open")
        assert.strictEqual(yield* upgrade({ origin: "https://evil.example" }), "403")
      })
    )

    it.effect("a name that was made to point here (DNS rebinding) is refused", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* rawStatus({ host: "evil.example:8082" }), 421)
        assert.strictEqual(yield* rawStatus({ host: "localhost:8082" }), 200)
        assert.strictEqual(yield* rawStatus({ host: "[::1]:8082" }), 200)
        assert.strictEqual(yield* upgrade({ host: "evil.example" }), "421")
      })
    )
  })
})
