import { Cause, Effect, Exit } from "effect"
import { constants } from "node:os"

/** A second signal sooner than this is the same one: npm passes on what a terminal has sent to the child already. */
const sameSignalWithin = 1_000

type StopSignal = "SIGINT" | "SIGTERM"

let first: { readonly signal: StopSignal; readonly at: number } | null = null

const codeOf = (signal: StopSignal): number => 128 + constants.signals[signal]

/**
 * Remembers which signal interrupted the program, for the exit code. The runtime interrupts it and waits until everything
 * is closed; who cannot wait sends the signal once more.
 */
export const watchSignals = (): void => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const at = performance.now()
      if (first === null) first = { signal, at }
      else if (at - first.at > sameSignalWithin) process.exit(codeOf(signal))
    })
  }
}

/** For a command that only a signal ends: then the exit code is 0, as supervisors want it. */
export const endsBySignal = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(effect, () =>
    Effect.sync(() => {
      process.exitCode = 0
    })
  )

/** 0 for success, 128 + n for a command ended by signal n, 1 for every failure. */
export const exitCodeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  if (!Cause.hasInterruptsOnly(exit.cause)) return 1
  return process.exitCode === 0 ? 0 : codeOf(first?.signal ?? "SIGINT")
}
