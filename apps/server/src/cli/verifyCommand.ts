import { type Drift, IndexVerifier, type Verification } from "@omnirag/core/app"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { printJson, printLine } from "./output.ts"
import { printableName } from "./printable.ts"
import { json } from "./root.ts"
import { withApp } from "./withApp.ts"

const describeDrift = (what: string, { count, first }: Drift): ReadonlyArray<string> =>
  count === 0
    ? []
    : [
        `${count} ${what}:`,
        ...first.map((id) => `  ${printableName(id)}`),
        ...(count > first.length ? ["  …"] : [])
      ]

export const describeVerification = (report: Verification): string =>
  [
    report.sound
      ? `sound: ${report.generation} holds what the sources imply`
      : `not sound: ${report.generation}`,
    ...report.catalog.map((problem) => `catalog: ${problem}`),
    ...describeDrift("chunks without a vector in the store", report.missingVectors),
    ...describeDrift("vectors of no chunk", report.orphanVectors),
    ...describeDrift("chunks whose vector in the store is another one", report.wrongVectors),
    ...describeDrift("documents that differ from the disk", report.staleDocuments),
    ...describeDrift("documents whose file is gone", report.goneDocuments),
    ...(report.pending === 0 ? [] : [`${report.pending} writes the store has not confirmed`]),
    ...report.unreadable.map((file) => `not compared: ${file}`)
  ].join("\n")

export const verifyCommand = Command.make(
  "verify",
  { json },
  Effect.fn(function* ({ json: asJson }) {
    const report = yield* withApp(IndexVerifier.use((verifier) => verifier.verify))
    yield* asJson ? printJson(report) : printLine(describeVerification(report))
    if (!report.sound) {
      return yield* new CommandFailed({
        code: "INDEX_DRIFTED",
        message: "the index is not what the sources imply; run `omnirag repair`"
      })
    }
  })
).pipe(Command.withDescription("Prove that the index holds exactly what the sources imply; changes nothing"))
