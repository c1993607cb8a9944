import { Effect, Layer, Schema, Stream } from "effect"
import { definePlugin } from "../plugin/definePlugin.ts"
import { AnswerGenerator, type AnswerPart, type AnswerRequest } from "../ports/AnswerGenerator.ts"
import { selectQuotes } from "./selectQuotes.ts"

export const ExtractiveOptions = Schema.Struct({
  sentences: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
    Schema.withDecodingDefaultKey(Effect.succeed(3))
  ).annotate({ description: "Most places an answer quotes: sentences, list items, table rows, code" })
})

const generate = (request: AnswerRequest, most: number): ReadonlyArray<AnswerPart> => {
  const quotes = selectQuotes(request, most)
  return quotes.length === 0
    ? [{ _tag: "Abstain", reason: "no sentence of the passages speaks of the question" }]
    : quotes.map(({ passage, start, end }): AnswerPart => ({ _tag: "Quote", passage, start, end }))
}

/**
 * Answers without a model: the places of the passages that hold most of the question, verbatim and each with its
 * citation.
 */
export const extractiveAnswers = definePlugin({
  kind: "answers",
  name: "extractive",
  description: "Quotes the best sentences of the best passages; needs no model",
  options: ExtractiveOptions,
  layer: (options) =>
    Layer.succeed(AnswerGenerator, {
      name: "extractive",
      generate: (request) => Stream.suspend(() => Stream.fromIterable(generate(request, options.sentences)))
    })
})
