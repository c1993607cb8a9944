import { Cause, Effect, Option, Predicate } from "effect"
import { CliError } from "effect/cli"
import { printNote } from "./output.ts"
import { worded } from "./remedies.ts"

/** What a program that called the command line learns of a failure. */
export interface ReportedError {
  /** Stable, as in `extensions.code` of the API; `INTERNAL` for a fault of ours. */
  readonly code: string
  readonly message: string
  /** The argument the error is about. */
  readonly field?: string
}

/** True when this call asks for machine-readable output. Looked up by hand, because parsing may be what failed. */
export const wantsJson: boolean = process.argv.includes("--json")

const describe = (cause: Cause.Cause<unknown>): ReportedError => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (!Predicate.isError(error) || !Predicate.hasProperty(error, "code")) {
    const message = wantsJson ? String(Cause.squash(cause)) : Cause.pretty(cause)
    return { code: "INTERNAL", message }
  }
  const reported = { code: String(error.code), message: worded(error) }
  return Predicate.hasProperty(error, "field") ? { ...reported, field: String(error.field) } : reported
}

/** An error on stderr: a line for people, or one line of JSON, `{"error": {code, message, field?}}`, with `--json`. */
export const printError = (error: ReportedError): Effect.Effect<void> =>
  printNote(
    wantsJson
      ? JSON.stringify({ error })
      : `error ${error.code}: ${error.field === undefined ? "" : `${error.field}: `}${error.message}`
  )

/** Says why a command has failed. A typed error has its code, the rest is a fault of ours with its cause. */
export const reportFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  // the presenter has shown it
  if (CliError.isCliError(Option.getOrUndefined(Cause.findErrorOption(cause)))) return Effect.void
  return printError(describe(cause))
}
