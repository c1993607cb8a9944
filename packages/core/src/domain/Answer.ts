import { Schema } from "effect"
import { Hit } from "./Hit.ts"

/** A place of a source that supports a part of the answer; `quote` re-reads from the source at `[start, end)`. */
export const Citation = Schema.Struct({
  /** The number of the passage, as in the marker `[n]` of the answer. */
  passage: Schema.Int,
  chunkId: Schema.String,
  documentId: Schema.String,
  path: Schema.String,
  headingPath: Schema.Array(Schema.String),
  start: Schema.Int,
  end: Schema.Int,
  startLine: Schema.Int,
  endLine: Schema.Int,
  quote: Schema.String
})
export interface Citation extends Schema.Schema.Type<typeof Citation> {}

export const Verdict = Schema.Literals(["unsafe", "weak", "good", "excellent"])
export type Verdict = typeof Verdict.Type

/** How far the chunks support an answer; see evaluation/evaluateAnswer.ts for the formula. */
export const Evaluation = Schema.Struct({
  overall: Schema.Finite,
  /** Share of the terms of the question that occur in the chunks. */
  coverage: Schema.Finite,
  /** Mean confidence of the chunks. */
  confidence: Schema.Finite,
  /** Number of distinct pages (documents, where there are no pages). */
  sourceDiversity: Schema.Int,
  chunksUsed: Schema.Int,
  verdict: Verdict,
  missingTerms: Schema.Array(Schema.String)
})
export interface Evaluation extends Schema.Schema.Type<typeof Evaluation> {}

/** Tokens that a language model counted for one answer. */
export const TokenUsage = Schema.Struct({ input: Schema.Int, output: Schema.Int })
export type TokenUsage = typeof TokenUsage.Type

export const Answer = Schema.Struct({
  question: Schema.String,
  /** The answer with its markers `[n]`; a fixed sentence when `abstained`. */
  text: Schema.String,
  /** True when nothing that was retrieved supports an answer. */
  abstained: Schema.Boolean,
  sources: Schema.Array(Hit),
  citations: Schema.Array(Citation),
  evaluation: Evaluation,
  /** Generated sentences with names, numbers or terms that neither the passages nor the question hold. */
  unsupported: Schema.Array(Schema.String),
  /** Null for generators that count no tokens. */
  usage: Schema.NullOr(TokenUsage),
  warnings: Schema.Array(Schema.String)
})
export interface Answer extends Schema.Schema.Type<typeof Answer> {}

/** What a live answer consists of: `Sources` first, then tokens and citations, then one `Done`. */
export type AnswerEvent =
  | {
      readonly _tag: "Sources"
      readonly sources: ReadonlyArray<Hit>
      readonly warnings: ReadonlyArray<string>
    }
  | { readonly _tag: "Token"; readonly text: string }
  | { readonly _tag: "CitationEvent"; readonly citation: Citation }
  | { readonly _tag: "Done"; readonly answer: Answer }
