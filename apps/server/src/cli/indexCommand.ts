import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { printJson, printLine, printNote } from "./output.ts"
import { describeRun, indexWithProgress } from "./progress.ts"
import { json } from "./root.ts"
import { withApp } from "./withApp.ts"

export const indexCommand = Command.make(
  "index",
  {
    source: Flag.String("source").pipe(
      Flag.withDescription("Only this source; may be repeated"),
      Flag.between(0, 1_000)
    ),
    full: Flag.Boolean("full").pipe(
      Flag.withDescription("Load and chunk every file again, changed or not"),
      Flag.withDefault(false)
    ),
    rebuild: Flag.Boolean("rebuild").pipe(
      Flag.withDescription(
        "Build the index from nothing, beside the old one; for an index that cannot be repaired"
      ),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function* ({ source, full, rebuild, json: asJson }) {
    const run = yield* withApp(
      indexWithProgress({ sources: source.length === 0 ? undefined : source, full, rebuild }).pipe(
        Effect.onInterrupt(() =>
          printNote("cancelled; what is committed stays, and the next run continues from there")
        )
      )
    )
    yield* asJson ? printJson(run) : printLine(describeRun(run))
    if (run.status !== "succeeded") {
      return yield* new CommandFailed({
        code: "RUN_NOT_COMPLETE",
        message: `the run ended as ${run.status}; what failed keeps its old version, and the next run tries again`
      })
    }
  })
).pipe(Command.withDescription("Bring the index up to date with its sources"))
