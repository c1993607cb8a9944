import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { type Client, type ClientOptions, createClient } from "graphql-ws"
import { WebSocket } from "ws"

export interface GraphQLResponse {
  readonly data?: Record<string, unknown> | null
  readonly errors?: ReadonlyArray<{
    readonly message: string
    readonly extensions: Record<string, unknown>
    readonly path?: ReadonlyArray<string | number>
  }>
}

export const baseUrl = Effect.map(HttpServer.HttpServer, (server) => HttpServer.formatAddress(server.address))

/** Sends an HTTP request to the server under test. */
export const request = (path: string, init: RequestInit = {}) =>
  Effect.flatMap(baseUrl, (url) => Effect.promise(() => fetch(`${url}${path}`, init)))

export const jsonHeaders = { "content-type": "application/json", accept: "application/json" }

/** Posts a body to `/graphql` and reads the JSON it answers with. */
export const postBody = <A = GraphQLResponse>(body: unknown, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const response = yield* request("/graphql", {
      method: "POST",
      headers: { ...jsonHeaders, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, text, body: JSON.parse(text) as A }
  })

/** Runs an operation over HTTP. */
export const post = (query: string, variables: Record<string, unknown> = {}) =>
  Effect.map(postBody({ query, variables }), ({ body }) => body)

/** The code of the first error. */
export const codeOf = (response: GraphQLResponse): unknown => response.errors?.[0]?.extensions["code"]

/** A graphql-ws client, closed with the scope. */
export const socketClient = (options: Partial<ClientOptions> = {}) =>
  Effect.flatMap(baseUrl, (url) =>
    Effect.acquireRelease(
      Effect.sync((): Client =>
        createClient({
          url: `${url.replace("http", "ws")}/graphql`,
          webSocketImpl: WebSocket,
          retryAttempts: 0,
          ...options
        })
      ),
      (client) => Effect.promise(async () => client.dispose())
    )
  )

/** All results of an operation over WebSocket; its errors as the last one. */
export const collect = (client: Client, query: string, variables: Record<string, unknown> = {}) =>
  Effect.callback<ReadonlyArray<GraphQLResponse>>((resume) => {
    const results: Array<GraphQLResponse> = []
    client.subscribe<Record<string, unknown>>(
      { query, variables },
      {
        next: (result) => results.push(result as GraphQLResponse),
        error: (errors) => {
          results.push({ errors: errors as NonNullable<GraphQLResponse["errors"]> })
          resume(Effect.succeed(results))
        },
        complete: () => resume(Effect.succeed(results))
      }
    )
  })

/** Opens a subscription over SSE. */
export const openSse = (query: string, init: { readonly signal?: AbortSignal } = {}) =>
  request("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ query }),
    ...init
  })

/** The events of a whole SSE body, pings left out. */
export const sseEvents = (text: string): ReadonlyArray<{ readonly event: string; readonly data: string }> =>
  text
    .split("\n\n")
    .filter((block) => block.startsWith("event:"))
    .map((block) => {
      const [event = "", data = ""] = block.split("\n")
      return { event: event.slice("event: ".length), data: data.replace(/^data: ?/, "") }
    })
