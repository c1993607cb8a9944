import { Effect, Layer, Schema, Stream } from "effect"
import { bodyOf } from "../domain/Chunk.ts"
import { analyze } from "../language/terms.ts"
import { sentences } from "../language/sentences.ts"
import { definePlugin } from "../plugin/definePlugin.ts"
import {
  AnswerGenerator,
  type AnswerPart,
  type AnswerRequest,
  type Passage
} from "../ports/AnswerGenerator.ts"

const share = (minimum: number, maximum: number, value: number) =>
  Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum, maximum })),
    Schema.withDecodingDefaultKey(Effect.succeed(value))
  )

export const ExtractiveOptions = Schema.Struct({
  sentences: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 10 })),
    Schema.withDecodingDefaultKey(Effect.succeed(3))
  ).annotate({ description: "Most sentences an answer quotes" }),
  floor: share(0, 1, 0.45).annotate({
    description:
      "Share of the question's weighted terms that the best passage must hold; below it there is no answer"
  })
})

/** A sentence of a passage, `[start, end)` in the document, with what speaks for it. */
interface Candidate {
  readonly passage: number
  readonly start: number
  readonly end: number
  readonly score: number
}

/** Counts for a sentence as much as half of its own words: what the headings above it already say. */
const headingShare = 0.5
/** What the rank of a passage adds at most, so that of two equal sentences the better passage's wins. */
const rankShare = 0.15
/** A further sentence must reach this share of the best one's score. */
const supportShare = 0.6

const covered = (terms: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number => {
  let sum = 0
  for (const [term, weight] of weights) if (terms.has(term)) sum += weight
  return sum
}

const isHeading = (sentence: string): boolean => /^#{1,6}\s/.test(sentence)

const candidatesOf = (
  { number, hit }: Passage,
  weights: ReadonlyMap<string, number>,
  total: number
): ReadonlyArray<Candidate> => {
  const { chunk, title } = hit
  const body = bodyOf(chunk)
  const above = new Set(analyze([title, ...chunk.headingPath].join("\n")))
  return sentences(body).flatMap(({ start, end }): ReadonlyArray<Candidate> => {
    const text = body.slice(start, end)
    if (isHeading(text)) return []
    const own = new Set(analyze(text))
    const inherited = new Set([...above].filter((term) => !own.has(term)))
    const score =
      (covered(own, weights) + headingShare * covered(inherited, weights)) / total + rankShare / number
    return covered(own, weights) === 0
      ? []
      : [{ passage: number, start: chunk.start + start, end: chunk.start + end, score }]
  })
}

/** How much of the question's weight a passage holds, its headings included: 0 … 1. */
const passageCoverage = ({ hit }: Passage, weights: ReadonlyMap<string, number>, total: number): number =>
  covered(new Set(analyze([hit.title, ...hit.chunk.headingPath, hit.chunk.text].join("\n"))), weights) / total

const generate = (
  { passages, termWeights }: AnswerRequest,
  options: typeof ExtractiveOptions.Type
): ReadonlyArray<AnswerPart> => {
  const total = [...termWeights.values()].reduce((sum, weight) => sum + weight, 0)
  const best = Math.max(0, ...passages.map((passage) => passageCoverage(passage, termWeights, total)))
  if (total === 0 || best < options.floor) {
    return [{ _tag: "Abstain", reason: "no passage holds enough of what the question asks for" }]
  }
  const candidates = passages
    .flatMap((passage) => candidatesOf(passage, termWeights, total))
    .toSorted(
      (left, right) => right.score - left.score || left.passage - right.passage || left.start - right.start
    )
  const top = candidates[0]
  if (top === undefined)
    return [{ _tag: "Abstain", reason: "no sentence of the passages speaks of the question" }]
  return candidates
    .filter(({ score }) => score >= top.score * supportShare)
    .slice(0, options.sentences)
    .map(({ passage, start, end }): AnswerPart => ({ _tag: "Quote", passage, start, end }))
}

/**
 * Answers without a model: the sentences of the passages that hold most of the question's terms, weighted by how rare
 * these are, verbatim and each with its citation. Abstains when no passage holds enough of the question.
 */
export const extractiveAnswers = definePlugin({
  kind: "answers",
  name: "extractive",
  description: "Quotes the best sentences of the best passages; needs no model",
  options: ExtractiveOptions,
  layer: (options) =>
    Layer.succeed(AnswerGenerator, {
      name: "extractive",
      generate: (request) => Stream.suspend(() => Stream.fromIterable(generate(request, options)))
    })
})
