import { type HealthCheck, Sources, SystemStatus } from "@omnirag/core"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { printJson, printLine } from "./output.ts"
import { json } from "./root.ts"
import { withApp } from "./withApp.ts"

const sourcesCheck = Sources.use((sources) => sources.open()).pipe(
  Effect.match({
    onFailure: (error): HealthCheck => ({ name: "sources", healthy: false, detail: error.message }),
    onSuccess: ({ sources, missing }): HealthCheck => ({
      name: "sources",
      healthy: true,
      detail: [
        `found ${sources.map(({ name }) => name).join(", ")}`,
        ...missing.map(({ name, hint }) => `missing ${name}: ${hint}`)
      ].join("; ")
    })
  })
)

const describe = (checks: ReadonlyArray<HealthCheck>): string =>
  checks.map(({ name, healthy, detail }) => `${healthy ? "ok  " : "FAIL"} ${name}: ${detail}`).join("\n")

export const doctorCommand = Command.make(
  "doctor",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const checks = yield* withApp(
      Effect.zipWith(
        sourcesCheck,
        SystemStatus.use((system) => system.checks),
        (sources, others) => [sources, ...others]
      )
    )
    yield* asJson ? printJson(checks) : printLine(describe(checks))
    if (checks.some((check) => !check.healthy)) {
      return yield* new CommandFailed({ code: "UNHEALTHY", message: "not everything works; see above" })
    }
  })
).pipe(Command.withDescription("Check configuration, sources, index, models and stores, and say what to do"))
