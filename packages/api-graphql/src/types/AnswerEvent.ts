import {
  CitationEvent,
  descriptionOf,
  descriptionsOf,
  DoneEvent,
  FailedEvent,
  LiveAnswerEvent,
  SourcesEvent,
  TokenEvent
} from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { countedAbove } from "../complexity.ts"
import { AnswerRef, CitationRef } from "./Answer.ts"
import { HitRef } from "./Hit.ts"

const sourcesDocs = descriptionsOf(SourcesEvent)
const SourcesRef = builder.objectRef<SourcesEvent>("Sources").implement({
  description: descriptionOf(SourcesEvent),
  fields: (t) => ({
    sources: t.field({
      type: [HitRef],
      description: sourcesDocs.sources,
      complexity: countedAbove,
      resolve: (event) => event.sources
    }),
    warnings: t.stringList({
      description: sourcesDocs.warnings,
      resolve: ({ warnings }) => warnings.map(publicText)
    })
  })
})

const tokenDocs = descriptionsOf(TokenEvent)
const TokenRef = builder.objectRef<TokenEvent>("Token").implement({
  description: descriptionOf(TokenEvent),
  fields: (t) => ({ text: t.exposeString("text", { description: tokenDocs.text }) })
})

const citedDocs = descriptionsOf(CitationEvent)
const CitationEventRef = builder.objectRef<CitationEvent>("CitationEvent").implement({
  description: descriptionOf(CitationEvent),
  fields: (t) => ({
    citation: t.field({
      type: CitationRef,
      description: citedDocs.citation,
      resolve: (event) => event.citation
    })
  })
})

const doneDocs = descriptionsOf(DoneEvent)
const DoneRef = builder.objectRef<DoneEvent>("Done").implement({
  description: descriptionOf(DoneEvent),
  fields: (t) => ({
    answer: t.field({
      type: AnswerRef,
      description: doneDocs.answer,
      resolve: (event) => event.answer
    })
  })
})

const failedDocs = descriptionsOf(FailedEvent)
const FailedRef = builder.objectRef<FailedEvent>("Failed").implement({
  description: descriptionOf(FailedEvent),
  fields: (t) => ({
    code: t.exposeString("code", { description: failedDocs.code }),
    message: t.exposeString("message", { description: failedDocs.message }),
    retryable: t.exposeBoolean("retryable", { description: failedDocs.retryable })
  })
})

const refs = {
  Sources: SourcesRef,
  Token: TokenRef,
  CitationEvent: CitationEventRef,
  Done: DoneRef,
  Failed: FailedRef
}

export const AnswerEventRef = builder.unionType("AnswerEvent", {
  description: descriptionOf(LiveAnswerEvent),
  types: [SourcesRef, TokenRef, CitationEventRef, DoneRef, FailedRef],
  resolveType: (event) => refs[event._tag]
})
