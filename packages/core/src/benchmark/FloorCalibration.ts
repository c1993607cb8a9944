import { Context, Effect, Layer } from "effect"
import { Evidence } from "../answering/Evidence.ts"
import type { SearchError } from "../retrieval/Retriever.ts"
import type { AnswerabilityCase } from "./AnswerabilitySet.ts"
import { scopeOf } from "./scopeOf.ts"
import { effectOf, type FloorEffect, type JudgedQuestion, separatingFloor } from "./separatingFloor.ts"

export interface CalibratedQuestion extends JudgedQuestion {
  readonly query: string
  /** Words of the question that are in none of the passages. */
  readonly missing: ReadonlyArray<string>
}

export interface CalibrationReport {
  readonly answerable: number
  readonly unanswerable: number
  /** The floor that separates the two kinds best. */
  readonly best: FloorEffect
  /** The result of the floor in use. */
  readonly current: FloorEffect
  /** In the order of the set. */
  readonly questions: ReadonlyArray<CalibratedQuestion>
}

/** Finds the relevance floor for an index from questions for which it is known whether the index has an answer. */
export class FloorCalibration extends Context.Service<
  FloorCalibration,
  {
    readonly calibrate: (
      cases: ReadonlyArray<AnswerabilityCase>,
      options: { readonly topK: number; readonly rerank?: boolean | undefined }
    ) => Effect.Effect<CalibrationReport, SearchError>
  }
>()("@omnirag/core/benchmark/FloorCalibration") {
  static readonly layer = Layer.effect(
    FloorCalibration,
    Effect.gen(function* () {
      const evidence = yield* Evidence

      const calibrate = Effect.fn("FloorCalibration.calibrate")(function* (
        cases: ReadonlyArray<AnswerabilityCase>,
        options: { readonly topK: number; readonly rerank?: boolean | undefined }
      ) {
        const found = yield* Effect.forEach(cases, (testCase) =>
          Effect.map(
            evidence.find({ query: testCase.query, where: scopeOf(testCase), ...options }),
            ({ hits, relevance, floor }) => ({
              query: testCase.query,
              answerable: testCase.answerable,
              relevance: hits.length === 0 ? 0 : relevance.score,
              missing: relevance.missing,
              floor
            })
          )
        )
        const questions = found.map(({ query, answerable, relevance, missing }) => ({
          query,
          answerable,
          relevance,
          missing
        }))
        const floor = found[0]?.floor ?? 0
        const answerables = questions.filter((question) => question.answerable).length
        return {
          answerable: answerables,
          unanswerable: questions.length - answerables,
          best: separatingFloor(questions) ?? effectOf(questions, floor),
          current: {
            floor,
            // questions whose passages were found by words alone have a different floor
            kept: found.filter((question) => question.answerable && question.relevance >= question.floor)
              .length,
            rejected: found.filter((question) => !question.answerable && question.relevance < question.floor)
              .length
          },
          questions
        } satisfies CalibrationReport
      })

      return FloorCalibration.of({ calibrate })
    })
  )
}
