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

export const BenchmarkCase = Schema.Union([ExpectedSource, Judged])
export type BenchmarkCase = typeof BenchmarkCase.Type

const BenchmarkSet = Schema.fromJsonString(Schema.NonEmptyArray(BenchmarkCase))

/** Reads a set of questions: a JSON array of cases in either format, mixed as one likes. */
export const parseBenchmarkSet = (json: string): Effect.Effect<ReadonlyArray<BenchmarkCase>, InvalidInput> =>
  Schema.decodeUnknownEffect(BenchmarkSet)(json, { errors: "first" }).pipe(
    Effect.mapError(
      (error) =>
        new InvalidInput({
          field: "set",
          message: `not a set of questions with the documents that answer them: ${error.message}`
        })
    )
  )
