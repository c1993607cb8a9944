import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { printable } from "./printable.ts"

/** A write that fails never ends: `stdoutLost` ends the program for it. */
const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    stream.write(text, (error) => {
      if (error === null || error === undefined) resume(Effect.void)
    })
  })

/** Text for people to stdout: results only, so that the output can be piped. Waits while the reader is slow. */
export const print = (text: string): Effect.Effect<void> => write(process.stdout, printable(text))

export const printLine = (text: string): Effect.Effect<void> => print(`${text}\n`)

/** One value as one line of JSON, as it is. */
export const printJson = (value: unknown): Effect.Effect<void> =>
  write(process.stdout, `${JSON.stringify(value)}\n`)

/** Text of our own with the colours that are in it, to the person at the terminal. Nobody reading it is no fault. */
export const printStyled = (text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stderr.write(`${text}\n`, () => resume(Effect.void))
  })

/** Text for the person at the terminal: progress, notes, errors. */
export const printNote = (text: string): Effect.Effect<void> => printStyled(printable(text))

/**
 * Ends when stdout takes no more. A reader that has enough (`omnirag search … | head -1`) is success; a full disk is
 * not. Until then it waits for ever.
 */
export const stdoutLost: Effect.Effect<void, CommandFailed> = Effect.callback((resume) => {
  process.stderr.on("error", () => {})
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    resume(
      error.code === "EPIPE"
        ? Effect.void
        : Effect.fail(
            new CommandFailed({
              code: "OUTPUT_FAILED",
              message: `the output could not be written: ${error.message}`
            })
          )
    )
  )
})
