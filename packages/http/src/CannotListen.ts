import { Predicate, Schema } from "effect"
import type { HttpServerError } from "effect/http"

/** The server cannot have its address. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  code: Schema.Literals(["PORT_IN_USE", "ADDRESS_UNAVAILABLE", "PORT_FORBIDDEN", "LISTEN_FAILED"]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  /** Names the address and says what to do about it. */
  static fromServeError(error: HttpServerError.ServeError, host: string, port: number): CannotListen {
    const { cause } = error
    const address = `${host.includes(":") ? `[${host}]` : host}:${port}`
    switch (Predicate.hasProperty(cause, "code") ? cause.code : undefined) {
      case "EADDRINUSE":
        return new CannotListen({
          code: "PORT_IN_USE",
          message: `${address} is in use by another process; stop it, or choose another port (OMNIRAG_PORT or server.port; 0 takes a free one)`,
          cause
        })
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
      case "EAI_AGAIN":
        return new CannotListen({
          code: "ADDRESS_UNAVAILABLE",
          message: `this machine has no address ${host}; set OMNIRAG_HOST (server.host) to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all its addresses`,
          cause
        })
      case "EACCES":
        return new CannotListen({
          code: "PORT_FORBIDDEN",
          message: `this user may not listen on ${address}; choose a port above 1023 (OMNIRAG_PORT or server.port)`,
          cause
        })
      default:
        return new CannotListen({
          code: "LISTEN_FAILED",
          message: `cannot listen on ${address}: ${String(cause)}`,
          cause
        })
    }
  }
}
