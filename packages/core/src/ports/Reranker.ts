import { Context, type Effect } from "effect"
import type { RerankError } from "../domain/errors.ts"

/** Scores passages against a question. */
export class Reranker extends Context.Service<
  Reranker,
  {
    readonly name: string
    /** Candidates it wants for each hit asked for (3: top k × 3). */
    readonly candidateFactor: number
    /** One score for each text, in order; higher is better. */
    readonly score: (
      question: string,
      texts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<number>, RerankError>
  }
>()("@omnirag/core/ports/Reranker") {}
