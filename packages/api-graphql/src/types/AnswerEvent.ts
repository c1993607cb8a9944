import type { AnswerEvent } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { countedAbove } from "../complexity.ts"
import { AnswerRef, CitationRef } from "./Answer.ts"
import { HitRef } from "./Hit.ts"

/** The last event of a live answer that could not be finished. */
export interface FailedEvent {
  readonly _tag: "Failed"
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

type Event<Tag extends AnswerEvent["_tag"]> = Extract<AnswerEvent, { readonly _tag: Tag }>

const SourcesRef = builder.objectRef<Event<"Sources">>("Sources").implement({
  description: "First event: the passages the answer may use.",
  fields: (t) => ({
    sources: t.field({
      type: [HitRef],
      description: "The passages; passage n is the nth.",
      complexity: countedAbove,
      resolve: (event) => event.sources
    }),
    warnings: t.stringList({
      description: "What the user should know of the search.",
      resolve: ({ warnings }) => warnings.map(publicText)
    })
  })
})

const TokenRef = builder.objectRef<Event<"Token">>("Token").implement({
  description: "The next piece of the text. A marker `[n]` is never cut.",
  fields: (t) => ({ text: t.exposeString("text", { description: "To be appended to the text so far." }) })
})

const CitationEventRef = builder.objectRef<Event<"CitationEvent">>("CitationEvent").implement({
  description: "The text so far cites a place.",
  fields: (t) => ({
    citation: t.field({
      type: CitationRef,
      description: "The place.",
      resolve: (event) => event.citation
    })
  })
})

const DoneRef = builder.objectRef<Event<"Done">>("Done").implement({
  description: "Last event of an answer that was finished.",
  fields: (t) => ({
    answer: t.field({
      type: AnswerRef,
      description: "The whole answer with citations, evaluation, token counts and warnings.",
      resolve: (event) => event.answer
    })
  })
})

const FailedRef = builder.objectRef<FailedEvent>("Failed").implement({
  description: "Last event of an answer that could not be finished, whenever it failed.",
  fields: (t) => ({
    code: t.exposeString("code", { description: "Stable code, as in `extensions.code` of errors." }),
    message: t.exposeString("message", { description: "What happened and what to do about it." }),
    retryable: t.exposeBoolean("retryable", { description: "True when asking again may help." })
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
  description:
    "What a live answer consists of: `Sources`, then tokens and citations, then one `Done` or `Failed`.",
  types: [SourcesRef, TokenRef, CitationEventRef, DoneRef, FailedRef],
  resolveType: (event) => refs[event._tag]
})
