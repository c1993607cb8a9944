import { type HealthCheck, type Status, SystemStatus } from "@omnirag/core/app"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { printJson, printLine } from "./output.ts"
import { wordedCheck } from "./remedies.ts"
import { json } from "./root.ts"
import { withApp } from "./withApp.ts"

const markOf = ({ healthy, optional }: HealthCheck): string => (healthy ? "ok  " : optional ? "warn" : "FAIL")

/** One line for each check. */
export const describeChecks = (checks: ReadonlyArray<HealthCheck>): string =>
  checks.map((check) => `${markOf(check)} ${check.name}: ${check.detail}`).join("\n")

const describe = (status: Status): string =>
  [
    `omnirag ${status.version}: ${status.ready ? "ready" : "not ready"}`,
    ...status.generations.map(
      ({ id, live, embedder, dimensions, vectorStore, vectors, counts }) =>
        `${live ? "live" : "under construction"} ${id}: ${counts.documents} documents, ${counts.chunks} chunks, ${vectors} vectors in ${vectorStore} (${embedder}, ${dimensions ?? "no"} dimensions), ${counts.outbox} writes pending`
    ),
    describeChecks(status.checks)
  ].join("\n")

export const statusCommand = Command.make(
  "status",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const found = yield* withApp(SystemStatus.use((system) => system.status))
    const status = { ...found, checks: found.checks.map(wordedCheck) }
    yield* asJson ? printJson(status) : printLine(describe(status))
  })
).pipe(Command.withDescription("Say what is in the index and whether everything works"))
