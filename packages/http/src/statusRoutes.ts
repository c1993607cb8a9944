import { type HealthCheck, isReady, SystemStatus } from "@omnirag/core/app"
import { type Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { redactPaths } from "./redactPaths.ts"

/** `/health`: 200 as long as the process answers at all. */
const health = HttpServerResponse.jsonUnsafe({ status: "ok" })

/** Longest time the checks may take together. */
const patience = "10 seconds"

const noAnswer: ReadonlyArray<HealthCheck> = [
  {
    name: "checks",
    healthy: false,
    optional: false,
    detail: `the parts did not answer within ${patience}; see the log`
  }
]

/** `/ready`: 200 when every part works that questions need, otherwise 503; the body names each part with what is wrong. */
const ready = (services: Context.Context<SystemStatus>) =>
  SystemStatus.use((system) => system.checks).pipe(
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed(noAnswer) }),
    Effect.map((checks) => {
      const allReady = isReady(checks)
      return HttpServerResponse.jsonUnsafe(
        {
          status: allReady ? "ready" : "unavailable",
          checks: checks.map((check) => ({ ...check, detail: redactPaths(check.detail) }))
        },
        { status: allReady ? 200 : 503 }
      )
    }),
    Effect.provideContext(services)
  )

/** Mounts `/health`, `/ready` and `/metrics` (Prometheus) on the application's router. */
export const statusRoutes = Layer.merge(
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const services = yield* Effect.context<SystemStatus>()
      yield* router.add("GET", "/health", health)
      yield* router.add("GET", "/ready", ready(services))
    })
  ),
  PrometheusMetrics.layerHttp({ path: "/metrics" })
)
