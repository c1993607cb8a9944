import { Answer, Citation, descriptionOf, descriptionsOf, Evaluation, TokenUsage } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { countedAbove } from "../complexity.ts"
import { VerdictRef } from "./enums.ts"
import { HitRef } from "./Hit.ts"
import { DocumentRef } from "./refs.ts"

const citationDocs = descriptionsOf(Citation)
export const CitationRef = builder.objectRef<Citation>("Citation").implement({
  description: descriptionOf(Citation),
  fields: (t) => ({
    passage: t.exposeInt("passage", { description: citationDocs.passage }),
    chunkId: t.exposeID("chunkId", { description: citationDocs.chunkId }),
    documentId: t.exposeID("documentId", { description: citationDocs.documentId }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: "The document that is cited; null when it has left the index since.",
      resolve: (citation, _args, context) => context.run(context.document(citation.documentId))
    }),
    path: t.exposeString("path", { description: citationDocs.path }),
    headingPath: t.exposeStringList("headingPath", { description: citationDocs.headingPath }),
    start: t.exposeInt("start", { description: citationDocs.start }),
    end: t.exposeInt("end", { description: citationDocs.end }),
    startLine: t.exposeInt("startLine", { description: citationDocs.startLine }),
    endLine: t.exposeInt("endLine", { description: citationDocs.endLine }),
    quote: t.exposeString("quote", { description: citationDocs.quote })
  })
})

const evaluationDocs = descriptionsOf(Evaluation)
export const EvaluationRef = builder.objectRef<Evaluation>("Evaluation").implement({
  description: descriptionOf(Evaluation),
  fields: (t) => ({
    overall: t.exposeFloat("overall", { description: evaluationDocs.overall }),
    coverage: t.exposeFloat("coverage", {
      description: evaluationDocs.coverage
    }),
    confidence: t.exposeFloat("confidence", { description: evaluationDocs.confidence }),
    sourceDiversity: t.exposeInt("sourceDiversity", {
      description: evaluationDocs.sourceDiversity
    }),
    chunksUsed: t.exposeInt("chunksUsed", { description: evaluationDocs.chunksUsed }),
    verdict: t.expose("verdict", { type: VerdictRef, description: evaluationDocs.verdict }),
    missingTerms: t.exposeStringList("missingTerms", {
      description: evaluationDocs.missingTerms
    })
  })
})

const tokensDocs = descriptionsOf(TokenUsage)
const TokenUsageRef = builder.objectRef<TokenUsage>("TokenUsage").implement({
  description: descriptionOf(TokenUsage),
  fields: (t) => ({
    input: t.exposeInt("input", { description: tokensDocs.input }),
    output: t.exposeInt("output", { description: tokensDocs.output })
  })
})

const answerDocs = descriptionsOf(Answer)
export const AnswerRef = builder.objectRef<Answer>("Answer").implement({
  description: descriptionOf(Answer),
  fields: (t) => ({
    question: t.exposeString("question", { description: answerDocs.question }),
    text: t.exposeString("text", { description: answerDocs.text }),
    abstained: t.exposeBoolean("abstained", {
      description: answerDocs.abstained
    }),
    sources: t.field({
      type: [HitRef],
      description: answerDocs.sources,
      complexity: countedAbove,
      resolve: (answer) => answer.sources
    }),
    citations: t.field({
      type: [CitationRef],
      description: answerDocs.citations,
      complexity: countedAbove,
      resolve: (answer) => answer.citations
    }),
    evaluation: t.field({
      type: EvaluationRef,
      description: answerDocs.evaluation,
      resolve: (answer) => answer.evaluation
    }),
    unsupported: t.exposeStringList("unsupported", {
      description: answerDocs.unsupported
    }),
    usage: t.field({
      type: TokenUsageRef,
      nullable: true,
      description: answerDocs.usage,
      resolve: (answer) => answer.usage
    }),
    warnings: t.stringList({
      description: answerDocs.warnings,
      resolve: ({ warnings }) => warnings.map(publicText)
    })
  })
})
