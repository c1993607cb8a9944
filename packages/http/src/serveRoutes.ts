import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { CannotListen } from "./CannotListen.ts"
import { Shutdown } from "./Shutdown.ts"

/** How long requests under way may take to end when the process stops. */
const drainTime = "2 seconds"

/** Where a server listens, and what it takes. */
export interface ServerOptions {
  /** Address or name of the interface. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Largest message of a WebSocket, in bytes; a larger one is refused before it is read. */
  readonly messageBytes: number
}

const server = ({ host, messageBytes, port }: ServerOptions) =>
  NodeHttpServer.layer(() => createServer(), {
    host,
    port,
    gracefulShutdownTimeout: drainTime,
    websocket: { maxPayload: messageBytes }
  }).pipe(
    Layer.catchTag("ServeError", (error) =>
      Layer.effectContext(Effect.fail(CannotListen.fromServeError(error, host, port)))
    )
  )

/**
 * Serves routes over HTTP until the scope closes, and then stops gracefully: live streams are told first (`Shutdown`),
 * and requests under way get two seconds. Fails with `CannotListen`.
 */
export const serveRoutes = <R>(
  routes: Layer.Layer<never, never, R | Shutdown | HttpRouter.HttpRouter>,
  options: ServerOptions
) =>
  Shutdown.announce.pipe(
    Layer.provideMerge(
      HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provideMerge(server(options))
      )
    ),
    Layer.provide(Shutdown.layer)
  )
