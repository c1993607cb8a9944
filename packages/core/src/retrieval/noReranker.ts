import { Effect, Layer } from "effect"
import { RerankError } from "../domain/errors.ts"
import { Reranker } from "../ports/Reranker.ts"

/** Stands in where the configuration names no reranker: a request to rerank gets the given order and a warning. */
export const noReranker = Layer.succeed(Reranker, {
  name: "none",
  candidateFactor: 1,
  score: () =>
    Effect.fail(
      new RerankError({ reranker: "none", message: "no reranker is configured; name one under `reranker:`" })
    )
})
