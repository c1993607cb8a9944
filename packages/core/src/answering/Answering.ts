import { Context, Effect, Layer, Option, Stream } from "effect"
import type { Answer, AnswerEvent } from "../domain/Answer.ts"
import type { GenerationError, IndexError, InvalidInput } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import { AnswerGenerator, type AnswerPart } from "../ports/AnswerGenerator.ts"
import { Retriever } from "../retrieval/Retriever.ts"
import { AnswerBuilder } from "./AnswerBuilder.ts"
import { TermWeights } from "./TermWeights.ts"

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
>()("@omnirag/core/answering/Answering") {
  static readonly layer = Layer.effect(
    Answering,
    Effect.gen(function* () {
      const retriever = yield* Retriever
      const generator = yield* AnswerGenerator
      const termWeights = yield* TermWeights

      const answer = Effect.fnUntraced(function* (request: AskRequest) {
        const { hits, warnings } = yield* retriever.search({
          query: request.question,
          topK: request.topK,
          where: request.where,
          rerank: request.rerank
        })
        const passages = hits.map((hit, index) => ({ number: index + 1, hit }))
        const builder = new AnswerBuilder(request.question, hits, passages, warnings)
        const parts: Stream.Stream<AnswerPart, IndexError | GenerationError> =
          passages.length === 0
            ? Stream.succeed({ _tag: "Abstain", reason: "nothing was found" })
            : generator.generate({
                question: request.question,
                passages,
                termWeights: yield* termWeights.of(request.question)
              })
        return Stream.succeed<AnswerEvent>({ _tag: "Sources", sources: hits, warnings }).pipe(
          Stream.concat(Stream.flatMap(parts, (part) => Stream.fromIterable(builder.add(part)))),
          Stream.concat(Stream.suspend(() => Stream.fromIterable(builder.finish())))
        )
      })

      const stream = (request: AskRequest) =>
        Stream.unwrap(answer(request)).pipe(
          Stream.withSpan("Answering.stream", { attributes: { topK: request.topK } })
        )

      const ask = Effect.fn("Answering.ask")(function* (request: AskRequest) {
        const last = yield* Stream.runLast(stream(request))
        return Option.isSome(last) && last.value._tag === "Done"
          ? last.value.answer
          : yield* Effect.die(new Error("the answer ended without its last event"))
      })

      return Answering.of({ ask, stream })
    })
  )
}
