import { Context, type Effect, type Stream } from "effect"
import type { Answer, AnswerEvent } from "../domain/Answer.ts"
import type { GenerationError, IndexError, InvalidInput } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"

export interface AskRequest {
  /** 1 … 10,000 UTF-16 units, not blank. */
  readonly question: string
  /** Passages the answer may use, 1 … 100. */
  readonly topK: number
  readonly where?: Filter | undefined
  readonly rerank?: boolean | undefined
}

/** Answers questions from the indexed documents, with citations. */
export class Answering extends Context.Service<
  Answering,
  {
    readonly ask: (request: AskRequest) => Effect.Effect<Answer, InvalidInput | IndexError | GenerationError>
    /** The same answer live: `Sources` first, then tokens and citations, then one `Done`. */
    readonly stream: (
      request: AskRequest
    ) => Stream.Stream<AnswerEvent, InvalidInput | IndexError | GenerationError>
  }
>()("@omnirag/core/answering/Answering") {}
