import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { defaultLimits, graphqlRoutes, loopbackHosts } from "@omnirag/api-graphql"
import { type AppConfig, Shutdown } from "@omnirag/core"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { CannotListen } from "./CannotListen.ts"

/** How long requests under way may take to end when the process stops. */
const drainTime = "2 seconds"

const loopback: ReadonlyArray<string> = ["localhost", "127.0.0.1", "::1"]

/** The HTTP server with every route; stops gracefully with its scope: live streams are told first. */
export const httpLayer = ({ host, port, graphiql }: AppConfig["Service"]["server"]) => {
  const production = process.env["NODE_ENV"] === "production"
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
          graphiql: graphiql || !production,
          introspection: !production,
          allowedHosts: loopback.includes(host) ? loopbackHosts : undefined
        }),
        { disableLogger: true, disableListenLog: true }
      ).pipe(Layer.provideMerge(server))
    ),
    Layer.provide(Shutdown.layer)
  )
}
