import {
  type CalibrationReport,
  type FloorEffect,
  FloorCalibration,
  parseAnswerabilitySet
} from "@omnirag/core/app"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { readInputText } from "./inputFile.ts"
import { printJson, printLine } from "./output.ts"
import { json } from "./root.ts"
import { rerank, topK } from "./searchCommand.ts"
import { withApp } from "./withApp.ts"

const round = (floor: number): number => Math.round(floor * 1000) / 1000

const describe = (report: CalibrationReport): string => {
  const line = (name: string, { floor, kept, rejected }: FloorEffect) =>
    `${name.padEnd(10)} ${floor.toFixed(3)}   keeps ${kept} of ${report.answerable}   rejects ${rejected} of ${report.unanswerable}`
  const { floor } = report.best
  const wrong = report.questions.filter(({ answerable, relevance }) => answerable !== relevance >= floor)
  return [
    line("best floor", report.best),
    line("in use", report.current),
    ...wrong.map(
      ({ query, answerable, relevance }) =>
        `${answerable ? "lost" : "let through"}: "${query}" (relevance ${relevance.toFixed(3)})`
    ),
    "",
    "To use it, put this into the configuration:",
    "answering:",
    `  floor: ${round(floor)}`
  ].join("\n")
}

export const calibrateCommand = Command.make(
  "calibrate",
  {
    set: Flag.String("set").pipe(
      Flag.withDescription("JSON file: an array of questions with `query` and `answerable` (true or false)")
    ),
    topK,
    rerank,
    json
  },
  Effect.fn(function* ({ set, topK: passages, rerank: reranked, json: asJson }) {
    const text = yield* readInputText("set", set)
    const cases = yield* parseAnswerabilitySet(text)
    const report = yield* withApp(
      FloorCalibration.use((calibration) =>
        calibration.calibrate(cases, { topK: passages, rerank: reranked })
      )
    )
    yield* asJson
      ? printJson({ ...report, configuration: { answering: { floor: round(report.best.floor) } } })
      : printLine(describe(report))
  })
).pipe(
  Command.withDescription(
    "Find the relevance floor below which questions are not answered, from your own questions"
  )
)
