#!/usr/bin/env node
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Logger, References } from "effect"
import { Command } from "effect/cli"
import { askCommand } from "./cli/askCommand.ts"
import { calibrateCommand } from "./cli/calibrateCommand.ts"
import { chunkCommand } from "./cli/chunkCommand.ts"
import { doctorCommand } from "./cli/doctorCommand.ts"
import { evalCommand } from "./cli/evalCommand.ts"
import { indexCommand } from "./cli/indexCommand.ts"
import { stdoutLost } from "./cli/output.ts"
import { repairCommand } from "./cli/repairCommand.ts"
import { reportFailure } from "./cli/reportFailure.ts"
import { root } from "./cli/root.ts"
import { searchCommand } from "./cli/searchCommand.ts"
import { serveCommand } from "./cli/serveCommand.ts"
import { exitCodeOf, watchSignals } from "./cli/signals.ts"
import { statusCommand } from "./cli/statusCommand.ts"
import { usageErrors } from "./cli/usageErrors.ts"
import { verifyCommand } from "./cli/verifyCommand.ts"
import { version } from "@omnirag/runtime"

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
    evalCommand,
    calibrateCommand
  ])
)

const logLevel = process.env["OMNIRAG_LOG"] ?? "Info"

watchSignals()

NodeRuntime.runMain(
  Command.run(omnirag, { version }).pipe(
    Effect.raceFirst(stdoutLost),
    Effect.tapCause(reportFailure),
    Effect.provide([NodeServices.layer, usageErrors]),
    Effect.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])),
    Effect.provideService(References.MinimumLogLevel, logLevel === "Debug" ? "Debug" : "Info")
  ),
  { disableErrorReporting: true, teardown: (exit, onExit) => onExit(exitCodeOf(exit)) }
)
