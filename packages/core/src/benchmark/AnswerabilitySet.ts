import { Effect, Schema } from "effect"
import { InvalidInput } from "../domain/errors.ts"

/** A question, and whether the documents answer it. Other fields, such as those of a retrieval case, are allowed. */
export const AnswerabilityCase = Schema.Struct({
  query: Schema.NonEmptyString,
  answerable: Schema.Boolean,
  repo: Schema.optionalKey(Schema.NullOr(Schema.String)),
  bundle: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type AnswerabilityCase = typeof AnswerabilityCase.Type

const AnswerabilitySet = Schema.fromJsonString(Schema.NonEmptyArray(AnswerabilityCase))

/** Reads a JSON array of questions with `answerable: true` or `false`; there must be questions of both kinds. */
export const parseAnswerabilitySet = Effect.fn("parseAnswerabilitySet")(function* (
  json: string
): Effect.fn.Return<ReadonlyArray<AnswerabilityCase>, InvalidInput> {
  const cases = yield* Schema.decodeUnknownEffect(AnswerabilitySet)(json, { errors: "first" }).pipe(
    Effect.mapError(
      (error) =>
        new InvalidInput({
          field: "set",
          message: `not a set of questions with \`query\` and \`answerable\`: ${error.message}`
        })
    )
  )
  for (const answerable of [true, false]) {
    if (cases.every((testCase) => testCase.answerable !== answerable)) {
      return yield* new InvalidInput({
        field: "set",
        message: `the set has no question with \`answerable: ${answerable}\`; a floor is found between the two kinds`
      })
    }
  }
  return cases
})
