import { Indexer, IndexVerifier } from "@omnirag/core/app"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { printJson, printLine } from "./output.ts"
import { json } from "./root.ts"
import { describeVerification } from "./verifyCommand.ts"
import { withApp } from "./withApp.ts"

export const repairCommand = Command.make(
  "repair",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const { run, written, report } = yield* withApp(
      Effect.gen(function* () {
        // a run heals torn vectors and drift from the disk; what is left is drift of the store
        const indexer = yield* Indexer
        const verifier = yield* IndexVerifier
        const first = yield* indexer.run({})
        const left = yield* verifier.verify
        // content that differs although size and time do not
        const run = left.staleDocuments.count > 0 ? yield* indexer.run({ full: true }) : first
        return { run, written: yield* verifier.repairStore, report: yield* verifier.verify }
      })
    )
    yield* asJson
      ? printJson({ run, written, report })
      : printLine(
          `run: ${run.status}, ${run.counts.changed} documents changed, ${run.counts.removed} removed; ${written} writes to the store\n${describeVerification(report)}`
        )
    if (!report.sound) {
      return yield* new CommandFailed({
        code: "INDEX_DRIFTED",
        message: "the index is still not what the sources imply; run `omnirag index --rebuild`"
      })
    }
  })
).pipe(Command.withDescription("Mend what `verify` finds"))
