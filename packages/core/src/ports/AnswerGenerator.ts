import { Context, type Stream } from "effect"
import type { TokenUsage } from "../domain/Answer.ts"
import type { AnswerError } from "../domain/errors.ts"
import type { Hit } from "../domain/Hit.ts"

/** A retrieved chunk with the number the answer cites it by, from 1. */
export interface Passage {
  readonly number: number
  readonly hit: Hit
}

/** What an answer is to be written from. */
export interface AnswerRequest {
  /** 1 … 10,000 UTF-16 units, not blank. */
  readonly question: string
  /** Best first, numbered from 1 without gaps; at least one. */
  readonly passages: ReadonlyArray<Passage>
  /** How rare each term of the question is in the index; see answering/termWeights.ts. */
  readonly termWeights: ReadonlyMap<string, number>
}

/**
 * A piece of an answer.
 *
 * - `Text`: generated text; markers `[n]` in it, also split over pieces, become citations of passage n as a whole.
 * - `Quote`: a verbatim range of the document of passage n; becomes text, a marker, and a citation of exactly that range.
 * - `Abstain`: the passages do not answer the question. Comes first and alone.
 * - `Passages`: the numbers of the passages the model was shown; only these may be cited. Absent: all of them.
 * - `Warning`: something the user should know (passages left out of the prompt).
 * - `Usage`: tokens counted by the model.
 */
export type AnswerPart =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Quote"; readonly passage: number; readonly start: number; readonly end: number }
  | { readonly _tag: "Abstain"; readonly reason: string }
  | { readonly _tag: "Passages"; readonly numbers: ReadonlyArray<number> }
  | { readonly _tag: "Warning"; readonly message: string }
  | { readonly _tag: "Usage"; readonly usage: TokenUsage }

/** Writes an answer from passages. */
export class AnswerGenerator extends Context.Service<
  AnswerGenerator,
  {
    readonly name: string
    /** The answer in parts, as they come; `AnswerError` when the model fails, also in the middle. */
    readonly generate: (request: AnswerRequest) => Stream.Stream<AnswerPart, AnswerError>
  }
>()("@omnirag/core/ports/AnswerGenerator") {}
