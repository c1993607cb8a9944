import { Layer, Stream } from "effect"
import { AnswerGenerator, type AnswerPart, type AnswerRequest } from "../ports/AnswerGenerator.ts"
import type { ExtractiveOptions } from "./ExtractiveOptions.ts"
import { selectQuotes } from "./selectQuotes.ts"

const generate = (request: AnswerRequest, most: number): ReadonlyArray<AnswerPart> => {
  const quotes = selectQuotes(request, most)
  return quotes.length === 0
    ? [{ _tag: "Abstain", reason: "no sentence of the passages is about the question" }]
    : quotes.map(({ passage, start, end }): AnswerPart => ({ _tag: "Quote", passage, start, end }))
}

/** The answer generator `extractive` with these options. */
export const extractiveLayer = (options: ExtractiveOptions) =>
  Layer.succeed(AnswerGenerator, {
    name: "extractive",
    generate: (request) => Stream.suspend(() => Stream.fromIterable(generate(request, options.sentences)))
  })
