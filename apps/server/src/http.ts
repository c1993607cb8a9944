import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { defaultLimits, graphqlRoutes, loopbackHosts } from "@omnirag/api-graphql"
import { type AppConfig, Shutdown } from "@omnirag/core/app"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { CannotListen } from "./CannotListen.ts"

/** How long requests under way may take to end when the process stops. */
const drainTime = "2 seconds"

const loopback: ReadonlyArray<string> = ["localhost", "127.0.0.1", "::1"]

const inProduction = process.env["NODE_ENV"] === "production"

/** True when a browser that opens `/graphql` gets a page to try queries on. */
export const hasPage = ({ graphiql }: AppConfig["Service"]["server"]): boolean => graphiql || !inProduction

/** The HTTP server with every route; stops gracefully with its scope: live streams are told first. */
export const httpLayer = (config: AppConfig["Service"]["server"]) => {
  const { host, port } = config
  const server = NodeHttpServer.layer(() => createServer(), {
    host,
    port,
    gracefulShutdownTimeout: drainTime,
    websocket: { maxPayload: defaultLimits.bodyBytes }
  }).pipe(
    Layer.catchTag("ServeError", (error) =>
      Layer.effectContext(Effect.fail(CannotListen.fromServeError(error, host, port)))
    )
  )
  return Shutdown.announce.pipe(
    Layer.provideMerge(
      HttpRouter.serve(
        graphqlRoutes({
          graphiql: hasPage(config),
          introspection: !inProduction,
          allowedHosts: loopback.includes(host) ? loopbackHosts : undefined
        }),
        { disableLogger: true, disableListenLog: true }
      ).pipe(Layer.provideMerge(server))
    ),
    Layer.provide(Shutdown.layer)
  )
}
