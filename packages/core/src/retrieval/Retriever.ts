import { Context, type Effect } from "effect"
import type { IndexError, InvalidInput } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import type { SearchMode, SearchResult } from "../domain/Hit.ts"

/** The bounds every request is held to. */
export const requestLimits = {
  /** UTF-16 units of a question. */
  questionLength: 10_000,
  topK: 100
} as const

export interface SearchRequest {
  /** 1 … 10,000 UTF-16 units, not blank. */
  readonly query: string
  /** 1 … 100. */
  readonly topK: number
  readonly where?: Filter | undefined
  /** The configured mode when absent. */
  readonly mode?: SearchMode | undefined
  readonly rerank?: boolean | undefined
}

/** Finds the chunks that match a question best. */
export class Retriever extends Context.Service<
  Retriever,
  {
    readonly search: (request: SearchRequest) => Effect.Effect<SearchResult, InvalidInput | IndexError>
  }
>()("@omnirag/core/retrieval/Retriever") {}
