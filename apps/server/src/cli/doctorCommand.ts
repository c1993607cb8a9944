import { type HealthCheck, isReady, Sources, SystemStatus } from "@omnirag/core/app"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { printJson, printLine } from "./output.ts"
import { worded, wordedCheck } from "./remedies.ts"
import { json } from "./root.ts"
import { describeChecks } from "./statusCommand.ts"
import { withApp } from "./withApp.ts"

const sourcesCheck = Sources.use((sources) => sources.open()).pipe(
  Effect.match({
    onFailure: (error): HealthCheck => ({
      name: "sources",
      healthy: false,
      optional: false,
      detail: worded(error)
    }),
    onSuccess: ({ sources, missing }): HealthCheck => ({
      name: "sources",
      healthy: true,
      optional: false,
      detail: [
        `found ${sources.map(({ name }) => name).join(", ")}`,
        ...missing.map(({ name, hint }) => `missing ${name}: ${hint}`)
      ].join("; ")
    })
  })
)

export const doctorCommand = Command.make(
  "doctor",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const checks = yield* withApp(
      Effect.zipWith(
        sourcesCheck,
        SystemStatus.use((system) => system.checks),
        (sources, others) => [sources, ...others.map(wordedCheck)]
      )
    )
    yield* asJson ? printJson(checks) : printLine(describeChecks(checks))
    if (!isReady(checks)) {
      return yield* new CommandFailed({ code: "UNHEALTHY", message: "not everything works; see above" })
    }
  })
).pipe(Command.withDescription("Check configuration, sources, index, models and stores, and say what to do"))
