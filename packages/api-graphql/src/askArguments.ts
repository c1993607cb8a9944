import { type AskRequest, type InvalidInput, requestLimits } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "./builder.ts"
import { perItem } from "./complexity.ts"
import { decodeFilter, type FilterInput } from "./filterInput.ts"
import { ChunkFilterRef } from "./types/filters.ts"

/** The arguments of `ask`, the same for the query and the subscription. */
export const askArguments = builder.args((t) => ({
  question: t.string({ required: true, description: "The question, 1 … 10,000 characters." }),
  topK: t.int({
    defaultValue: 5,
    description: "How many passages the answer may use, 1 … 100."
  }),
  where: t.field({ type: ChunkFilterRef, description: "Which chunks to look at; all by default." }),
  rerank: t.boolean({
    defaultValue: false,
    description: "Reorder the passages with the configured reranker."
  })
}))

export const askComplexity = (args: { readonly topK?: number | null | undefined }) =>
  perItem(args.topK, requestLimits.topK)

export const decodeAsk = ({
  question,
  topK,
  rerank,
  where
}: {
  readonly question: string
  readonly topK?: number | null | undefined
  readonly rerank?: boolean | null | undefined
  readonly where?: FilterInput | null | undefined
}): Effect.Effect<AskRequest, InvalidInput> =>
  Effect.map(decodeFilter(where), (filter) => ({
    question,
    topK: topK ?? 5,
    where: filter,
    rerank: rerank ?? false
  }))
