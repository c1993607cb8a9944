import type { Answer, Citation, Evaluation, TokenUsage } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { countedAbove } from "../complexity.ts"
import { VerdictRef } from "./enums.ts"
import { HitRef } from "./Hit.ts"
import { DocumentRef } from "./refs.ts"

export const CitationRef = builder.objectRef<Citation>("Citation").implement({
  description:
    "A place of a source that supports a part of the answer. `quote` is the text of the document at `[start, end)`.",
  fields: (t) => ({
    passage: t.exposeInt("passage", { description: "Number of the passage, as in the marker `[n]`." }),
    chunkId: t.exposeID("chunkId", { description: "The chunk that was read." }),
    documentId: t.exposeID("documentId", { description: "The document that is cited." }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: "The document that is cited; null when it has left the index since.",
      resolve: (citation, _args, context) => context.run(context.document(citation.documentId))
    }),
    path: t.exposeString("path", { description: "POSIX path below the root of its source." }),
    headingPath: t.exposeStringList("headingPath", { description: "Headings above, outermost first." }),
    start: t.exposeInt("start", { description: "Begin of the range, in UTF-16 units." }),
    end: t.exposeInt("end", { description: "End of the range (exclusive), in UTF-16 units." }),
    startLine: t.exposeInt("startLine", { description: "First line, from 1." }),
    endLine: t.exposeInt("endLine", { description: "Last line, from 1." }),
    quote: t.exposeString("quote", { description: "The range verbatim." })
  })
})

export const EvaluationRef = builder.objectRef<Evaluation>("Evaluation").implement({
  description:
    "How far chunks support an answer: `overall = 0.5 coverage + 0.4 confidence + 0.1 min(sourceDiversity / 3, 1)`.",
  fields: (t) => ({
    overall: t.exposeFloat("overall", { description: "0 … 1." }),
    coverage: t.exposeFloat("coverage", {
      description: "Share of the words of the question that occur in the chunks, stop words left out."
    }),
    confidence: t.exposeFloat("confidence", { description: "Mean confidence of the chunks." }),
    sourceDiversity: t.exposeInt("sourceDiversity", {
      description: "Number of distinct pages; of documents, where there are no pages."
    }),
    chunksUsed: t.exposeInt("chunksUsed", { description: "Number of chunks looked at." }),
    verdict: t.expose("verdict", { type: VerdictRef, description: "The overall figure in a word." }),
    missingTerms: t.exposeStringList("missingTerms", {
      description: "Words of the question that no chunk holds."
    })
  })
})

const TokenUsageRef = builder.objectRef<TokenUsage>("TokenUsage").implement({
  description: "Tokens as the language model counted them.",
  fields: (t) => ({
    input: t.exposeInt("input", { description: "Tokens of the prompt." }),
    output: t.exposeInt("output", { description: "Tokens of the answer." })
  })
})

export const AnswerRef = builder.objectRef<Answer>("Answer").implement({
  description: "An answer with the places that support it.",
  fields: (t) => ({
    question: t.exposeString("question", { description: "The question as asked." }),
    text: t.exposeString("text", { description: "The answer; `[n]` cites passage n." }),
    abstained: t.exposeBoolean("abstained", {
      description: "True when nothing that was retrieved supports an answer; the text says so."
    }),
    sources: t.field({
      type: [HitRef],
      description: "The passages the answer could use; passage n is the nth.",
      complexity: countedAbove,
      resolve: (answer) => answer.sources
    }),
    citations: t.field({
      type: [CitationRef],
      description: "What the answer cites, in the order of the text.",
      complexity: countedAbove,
      resolve: (answer) => answer.citations
    }),
    evaluation: t.field({
      type: EvaluationRef,
      description: "How far the sources support an answer.",
      resolve: (answer) => answer.evaluation
    }),
    unsupported: t.exposeStringList("unsupported", {
      description:
        "Generated sentences with names, numbers or terms that neither the passages nor the question hold; they lower the verdict by one step."
    }),
    usage: t.field({
      type: TokenUsageRef,
      nullable: true,
      description: "Tokens used; null for a generator that counts none.",
      resolve: (answer) => answer.usage
    }),
    warnings: t.stringList({
      description: "What the user should know: passages left out, citations removed.",
      resolve: ({ warnings }) => warnings.map(publicText)
    })
  })
})
