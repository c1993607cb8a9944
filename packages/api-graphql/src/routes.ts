import { Shutdown } from "@omnirag/http"
import { Context, Effect } from "effect"
import { HttpEffect, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Socket as Connection } from "node:net"
import type { ApiServices } from "./context.ts"
import { refuseHttp, refuseSocket } from "./guards.ts"
import { type ApiOptions, resolveOptions } from "./options.ts"
import { playground } from "./playground.ts"
import { serveSocket } from "./serveSocket.ts"
import { makeWebSocketServer } from "./webSocketServer.ts"
import { makeYoga } from "./yoga.ts"

type Request = HttpServerRequest.HttpServerRequest

const wantsPage = ({ method, headers }: Request): boolean =>
  method === "GET" && (headers["accept"] ?? "").includes("text/html")

const connectionOf = ({ source }: Request): Connection | undefined =>
  "socket" in source && source.socket instanceof Connection ? source.socket : undefined

/** The route of `/graphql`: HTTP and SSE through yoga, WebSocket through graphql-ws. */
const graphql = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter, apiOptions: ApiOptions) {
  const options = resolveOptions(apiOptions)
  const services = yield* Effect.context<ApiServices>()
  const yoga = makeYoga(services, options)
  yield* Effect.addFinalizer(() => Effect.promise(async () => void (await yoga.dispose())))
  const server = makeWebSocketServer(yoga, options)

  /** The use cases, together with the tracing span and log settings of the request's fiber. */
  const requestServices = Effect.map(Effect.context<never>(), (context) => Context.merge(services, context))

  const overSocket = Effect.fnUntraced(function* (request: Request) {
    const refusal = refuseSocket(request.headers, options)
    if (refusal !== undefined) return refusal
    yield* serveSocket({
      socket: yield* request.upgrade,
      connection: connectionOf(request),
      protocol: request.headers["sec-websocket-protocol"]?.split(",")[0]?.trim() ?? "",
      server,
      services: yield* requestServices,
      shutdown: Context.get(services, Shutdown),
      options
    })
    return HttpServerResponse.empty()
  })

  const overHttp = Effect.fnUntraced(function* (request: Request) {
    if (options.graphiql && wantsPage(request)) return playground(request.url)
    const refusal = refuseHttp(request.method, request.headers, options)
    if (refusal !== undefined) return refusal
    const context = yield* requestServices
    return yield* HttpEffect.fromWebHandler(async (webRequest) =>
      yoga.fetch(webRequest, { services: context })
    )
  })

  yield* router.add(
    "*",
    "/graphql",
    Effect.fnUntraced(function* (request) {
      const isSocket = request.headers["upgrade"]?.toLowerCase() === "websocket"
      return yield* isSocket ? overSocket(request) : overHttp(request)
    })
  )
  // someone who opens the plain address in a browser wants the page
  if (options.graphiql) yield* router.add("GET", "/", HttpServerResponse.redirect("graphql"))
})

/**
 * Mounts `/graphql` (HTTP, SSE and WebSocket on one address) on the application's router. Set `websocket: { maxPayload
 * }` of the Node server to the same size as `limits.bodyBytes`: only the server can refuse an oversized message before
 * it is read.
 */
export const graphqlRoutes = (options: ApiOptions = {}) =>
  HttpRouter.use((router) => graphql(router, options))
