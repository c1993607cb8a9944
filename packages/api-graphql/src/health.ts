import { type HealthCheck, isReady, SystemStatus } from "@omnirag/core/app"
import { type Context, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { redactPaths } from "./redactPaths.ts"

/** `/health`: 200 as long as the process answers. */
export const health = HttpServerResponse.jsonUnsafe({ status: "ok" })

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

/**
 * `/ready`: 200 when every part that questions need works, otherwise 503. The body names each part with what is wrong.
 */
export const ready = (services: Context.Context<SystemStatus>) =>
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
