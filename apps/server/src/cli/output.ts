import { Effect } from "effect"
import { once } from "node:events"

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (!stream.write(text)) await once(stream, "drain")
  })

/** Text to stdout as it is: results only, so that the output can be piped. Waits while the reader is slow. */
export const print = (text: string): Effect.Effect<void> => write(process.stdout, text)

export const printLine = (text: string): Effect.Effect<void> => print(`${text}\n`)

/** One value as one line of JSON. */
export const printJson = (value: unknown): Effect.Effect<void> => printLine(JSON.stringify(value))

/** Text for the person at the terminal: progress, notes, errors. */
export const printNote = (text: string): Effect.Effect<void> => write(process.stderr, `${text}\n`)
