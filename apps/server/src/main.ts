#!/usr/bin/env node
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Logger, Option, Predicate, References } from "effect"
import { CliError, Command } from "effect/cli"
import { askCommand } from "./cli/askCommand.ts"
import { chunkCommand } from "./cli/chunkCommand.ts"
import { doctorCommand } from "./cli/doctorCommand.ts"
import { evalCommand } from "./cli/evalCommand.ts"
import { indexCommand } from "./cli/indexCommand.ts"
import { printNote } from "./cli/output.ts"
import { root } from "./cli/root.ts"
import { searchCommand } from "./cli/searchCommand.ts"
import { serveCommand } from "./cli/serveCommand.ts"
import { statusCommand } from "./cli/statusCommand.ts"
import { repairCommand } from "./cli/repairCommand.ts"
import { verifyCommand } from "./cli/verifyCommand.ts"
import { version } from "./version.ts"

const omnirag = root.pipe(
  Command.withSubcommands([
    serveCommand,
    indexCommand,
    searchCommand,
    askCommand,
    chunkCommand,
    statusCommand,
    doctorCommand,
    verifyCommand,
    repairCommand,
    evalCommand
  ])
)

/** One line that says what went wrong; a typed error has its code, the rest is a fault of ours with its cause. */
const report = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (CliError.isCliError(error)) return Effect.void
  if (!Predicate.isError(error) || !Predicate.hasProperty(error, "code")) {
    return printNote(`error INTERNAL: ${Cause.pretty(cause)}`)
  }
  const field = Predicate.hasProperty(error, "field") ? `${String(error.field)}: ` : ""
  return printNote(`error ${String(error.code)}: ${field}${error.message}`)
}

const logLevel = process.env["OMNIRAG_LOG"] ?? "Info"

NodeRuntime.runMain(
  Command.run(omnirag, { version }).pipe(
    Effect.tapCause(report),
    Effect.provide(NodeServices.layer),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
    Effect.provideService(References.MinimumLogLevel, logLevel === "Debug" ? "Debug" : "Info")
  ),
  {
    disableErrorReporting: true,
    // a signal ends a server cleanly: a supervisor wants 0 for that
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
  }
)
