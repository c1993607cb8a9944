import { Effect, Result } from "effect"
import { InvalidInput } from "../domain/errors.ts"
import { requestBounds } from "../domain/requestBounds.ts"
import { type Filter, validateFilter } from "../domain/Filter.ts"
import type { SearchMode } from "../domain/Hit.ts"

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

/** Holds a request to its bounds. */
export const validateRequest = (request: SearchRequest): Effect.Effect<void, InvalidInput> => {
  const fault = (field: string, message: string) => Effect.fail(new InvalidInput({ field, message }))
  if (request.query.trim() === "") return fault("query", "the question is empty; ask something")
  if (request.query.length > requestBounds.questionLength) {
    return fault(
      "query",
      `the question has ${request.query.length} UTF-16 units; at most ${requestBounds.questionLength} are allowed`
    )
  }
  if (!Number.isInteger(request.topK) || request.topK < 1 || request.topK > requestBounds.topK) {
    return fault("topK", `must be a whole number from 1 to ${requestBounds.topK}, not ${request.topK}`)
  }
  if (request.where === undefined) return Effect.void
  return Result.match(validateFilter(request.where), {
    onFailure: (error) => Effect.fail(error),
    onSuccess: () => Effect.void
  })
}
