import { Effect, Schema } from "effect"
import { InvalidInput } from "../domain/errors.ts"

/** A question with the one place that holds its answer; the format of the original system. */
const ExpectedSource = Schema.Struct({
  query: Schema.NonEmptyString,
  /** A part of the document id; every document whose id contains it counts as right. */
  expected_source_contains: Schema.NonEmptyString,
  repo: Schema.optionalKey(Schema.NullOr(Schema.String)),
  bundle: Schema.optionalKey(Schema.NullOr(Schema.String)),
  rerank: Schema.optionalKey(Schema.Boolean),
  notes: Schema.optionalKey(Schema.String)
})

/** A question with judged documents: document id → grade, 0 for not relevant, higher is better. */
const Judged = Schema.Struct({
  query: Schema.NonEmptyString,
  judgements: Schema.Record(
    Schema.String,
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
  ),
  repo: Schema.optionalKey(Schema.NullOr(Schema.String)),
  bundle: Schema.optionalKey(Schema.NullOr(Schema.String)),
  rerank: Schema.optionalKey(Schema.Boolean),
  notes: Schema.optionalKey(Schema.String)
})

export const EvaluationCase = Schema.Union([ExpectedSource, Judged])
export type EvaluationCase = typeof EvaluationCase.Type

const EvaluationSet = Schema.fromJsonString(Schema.NonEmptyArray(EvaluationCase))

/** Reads an evaluation set: a JSON array of cases in either format; both may be mixed. */
export const parseEvaluationSet = (
  json: string
): Effect.Effect<ReadonlyArray<EvaluationCase>, InvalidInput> =>
  Schema.decodeUnknownEffect(EvaluationSet)(json, { errors: "first" }).pipe(
    Effect.mapError(
      (error) => new InvalidInput({ field: "set", message: `not an evaluation set: ${error.message}` })
    )
  )
