import {
  type AskRequest,
  descriptionsOf,
  type InvalidInput,
  operations,
  requestBounds,
  requestDefaults
} from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "./builder.ts"
import { perItem } from "./complexity.ts"
import { decodeFilter, type FilterInput } from "./filterInput.ts"
import { ChunkFilterRef } from "./types/filters.ts"

const docs = descriptionsOf(operations.ask.arguments)

/** The arguments of `ask`, the same for the query and the subscription. */
export const askArguments = builder.args((t) => ({
  question: t.string({ required: true, description: docs.question }),
  topK: t.int({
    defaultValue: requestDefaults.topK,
    description: docs.topK
  }),
  where: t.field({ type: ChunkFilterRef, description: docs.where }),
  rerank: t.boolean({
    defaultValue: requestDefaults.rerank,
    description: docs.rerank
  })
}))

export const askComplexity = (args: { readonly topK?: number | null | undefined }) =>
  perItem(args.topK, requestBounds.topK)

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
    topK: topK ?? requestDefaults.topK,
    where: filter,
    rerank: rerank ?? requestDefaults.rerank
  }))
