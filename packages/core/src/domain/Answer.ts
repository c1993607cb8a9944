import { Schema } from "effect"
import { Hit } from "./Hit.ts"
import { Notice } from "./Notice.ts"

/** `quote` re-reads from the canonical text of the document at `[start, end)`. */
export const Citation = Schema.Struct({
  passage: Schema.Int.annotate({ description: "Number of the passage, as in the marker `[n]`." }),
  chunkId: Schema.String.annotate({ description: "The chunk that was read." }),
  documentId: Schema.String.annotate({ description: "The document that is cited." }),
  path: Schema.String.annotate({ description: "POSIX path below the root of its source." }),
  headingPath: Schema.Array(Schema.String).annotate({ description: "Headings above, outermost first." }),
  start: Schema.Int.annotate({ description: "Begin of the range, in UTF-16 units." }),
  end: Schema.Int.annotate({ description: "End of the range (exclusive), in UTF-16 units." }),
  startLine: Schema.Int.annotate({ description: "First line, from 1." }),
  endLine: Schema.Int.annotate({ description: "Last line, from 1." }),
  quote: Schema.String.annotate({ description: "The range verbatim." })
}).annotate({
  description:
    "A place of a source that supports a part of the answer. `quote` is the text of the document at `[start, end)`."
})
export interface Citation extends Schema.Schema.Type<typeof Citation> {}

export const Verdict = Schema.Union([
  Schema.Literal("unsafe").annotate({ description: "There is no chunk to support an answer." }),
  Schema.Literal("weak").annotate({ description: "Overall below 0.5." }),
  Schema.Literal("good").annotate({ description: "Overall from 0.5, below 0.75." }),
  Schema.Literal("excellent").annotate({ description: "Overall 0.75 or above." })
]).annotate({ description: "The overall evaluation in a word." })
export type Verdict = typeof Verdict.Type

/** See answering/evaluateAnswer.ts for how the figures are made. */
export const Evaluation = Schema.Struct({
  overall: Schema.Finite.annotate({ description: "0 … 1." }),
  coverage: Schema.Finite.annotate({
    description: "Share of the words of the question that occur in the chunks, stop words left out."
  }),
  confidence: Schema.Finite.annotate({ description: "Mean confidence of the chunks." }),
  sourceDiversity: Schema.Int.annotate({
    description: "Number of distinct pages; of documents, where there are no pages."
  }),
  chunksUsed: Schema.Int.annotate({ description: "Number of chunks looked at." }),
  verdict: Verdict.annotate({ description: "The overall figure in a word." }),
  missingTerms: Schema.Array(Schema.String).annotate({
    description: "Words of the question that no chunk holds."
  })
}).annotate({
  description:
    "How far chunks support an answer: `overall = 0.5 coverage + 0.4 confidence + 0.1 min(sourceDiversity / 3, 1)`."
})
export interface Evaluation extends Schema.Schema.Type<typeof Evaluation> {}

export const TokenUsage = Schema.Struct({
  input: Schema.Int.annotate({ description: "Tokens of the prompt." }),
  output: Schema.Int.annotate({ description: "Tokens of the answer." })
}).annotate({ description: "Tokens as the language model counted them." })
export type TokenUsage = typeof TokenUsage.Type

export const Answer = Schema.Struct({
  question: Schema.String.annotate({ description: "The question as asked." }),
  // a fixed sentence when `abstained`
  text: Schema.String.annotate({ description: "The answer; `[n]` cites passage n." }),
  abstained: Schema.Boolean.annotate({
    description: "True when nothing that was retrieved supports an answer; the text says so."
  }),
  sources: Schema.Array(Hit).annotate({
    description: "The passages the answer could use; passage n is the nth."
  }),
  citations: Schema.Array(Citation).annotate({
    description: "What the answer cites, in the order of the text."
  }),
  evaluation: Evaluation.annotate({ description: "How far the sources support an answer." }),
  unsupported: Schema.Array(Schema.String).annotate({
    description:
      "Generated sentences with names, numbers or terms that neither the passages nor the question hold; they lower the verdict by one step."
  }),
  usage: Schema.NullOr(TokenUsage).annotate({
    description: "Tokens used; null for a generator that counts none."
  }),
  warnings: Schema.Array(Notice).annotate({
    description: "What the user should know: passages left out, citations removed."
  })
}).annotate({ description: "An answer with the places that support it." })
export interface Answer extends Schema.Schema.Type<typeof Answer> {}

export const SourcesEvent = Schema.TaggedStruct("Sources", {
  sources: Schema.Array(Hit).annotate({ description: "The passages; passage n is the nth." }),
  warnings: Schema.Array(Notice).annotate({ description: "What the user should know of the search." })
}).annotate({ description: "First event: the passages the answer may use." })
export interface SourcesEvent extends Schema.Schema.Type<typeof SourcesEvent> {}

export const TokenEvent = Schema.TaggedStruct("Token", {
  text: Schema.String.annotate({ description: "To be appended to the text so far." })
}).annotate({ description: "The next piece of the text. A marker `[n]` is never cut." })
export interface TokenEvent extends Schema.Schema.Type<typeof TokenEvent> {}

export const CitationEvent = Schema.TaggedStruct("CitationEvent", {
  citation: Citation.annotate({ description: "The place." })
}).annotate({ description: "The text so far cites a place." })
export interface CitationEvent extends Schema.Schema.Type<typeof CitationEvent> {}

export const DoneEvent = Schema.TaggedStruct("Done", {
  answer: Answer.annotate({
    description: "The whole answer with citations, evaluation, token counts and warnings."
  })
}).annotate({ description: "Last event of an answer that was finished." })
export interface DoneEvent extends Schema.Schema.Type<typeof DoneEvent> {}

/** What a use case emits for a live answer: `Sources` first, then tokens and citations, then one `Done`. */
export type AnswerEvent = SourcesEvent | TokenEvent | CitationEvent | DoneEvent

/** What an API makes of a failure, so that its clients look in one place. */
export const FailedEvent = Schema.TaggedStruct("Failed", {
  code: Schema.String.annotate({ description: "Stable code, as in `extensions.code` of errors." }),
  message: Schema.String.annotate({ description: "What happened and what to do about it." }),
  retryable: Schema.Boolean.annotate({ description: "True when asking again may help." })
}).annotate({ description: "Last event of an answer that could not be finished, whenever it failed." })
export interface FailedEvent extends Schema.Schema.Type<typeof FailedEvent> {}

/** The events of a live answer as an API sends them. */
export const LiveAnswerEvent = Schema.Union([
  SourcesEvent,
  TokenEvent,
  CitationEvent,
  DoneEvent,
  FailedEvent
]).annotate({
  description:
    "What a live answer consists of: `Sources`, then tokens and citations, then one `Done` or `Failed`."
})
export type LiveAnswerEvent = typeof LiveAnswerEvent.Type
