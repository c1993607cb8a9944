import { Context, type Effect } from "effect"
import type { RerankError } from "../domain/errors.ts"

/** Scores passages against a question. */
export class Reranker extends Context.Service<
  Reranker,
  {
    readonly name: string
    /** Candidates it wants for each hit asked for (3: top k × 3). */
    readonly candidateFactor: number
    /**
     * One finite score for each text, in order; higher is better, and only the order of scores matters. `RerankError`
     * keeps the order that the hits had.
     */
    readonly score: (
      question: string,
      texts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<number>, RerankError>
  }
>()("@omnirag/core/ports/Reranker") {}
