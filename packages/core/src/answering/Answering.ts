import { Context, Effect, Layer, Option, Stream } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import type { Answer, AnswerEvent } from "../domain/Answer.ts"
import type { AnswerError } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import { AnswerGenerator, type AnswerPart } from "../ports/AnswerGenerator.ts"
import type { SearchError } from "../retrieval/Retriever.ts"
import { AnswerBuilder } from "./AnswerBuilder.ts"
import { Evidence, type Findings } from "./Evidence.ts"

export interface AskRequest {
  /** 1 … 10,000 UTF-16 units, not blank. */
  readonly question: string
  /** Passages the answer may use, 1 … 100. */
  readonly topK: number
  readonly where?: Filter | undefined
  readonly rerank?: boolean | undefined
}

/** Why there is nothing to answer from; undefined when there is. */
const reasonToAbstain = ({ hits, relevance, floor }: Findings): string | undefined => {
  if (hits.length === 0) return "nothing was found"
  if (relevance.score >= floor) return undefined
  const missing = relevance.missing.length === 0 ? "" : `; not in them: ${relevance.missing.join(", ")}`
  return `no passage is relevant enough: the best has ${relevance.score.toFixed(2)} of the ${floor.toFixed(2)} it needs${missing}`
}

/** Answers questions from the indexed documents, with citations. */
export class Answering extends Context.Service<
  Answering,
  {
    readonly ask: (request: AskRequest) => Effect.Effect<Answer, SearchError | AnswerError>
    /**
     * The same answer live: `Sources` first, then tokens and citations, then one `Done`. With `answering.strict`, text
     * comes sentence by sentence, each when it has been checked.
     */
    readonly stream: (request: AskRequest) => Stream.Stream<AnswerEvent, SearchError | AnswerError>
  }
>()("@omnirag/core/answering/Answering") {
  static readonly layer = Layer.effect(
    Answering,
    Effect.gen(function* () {
      const { answering } = yield* AppConfig
      const evidence = yield* Evidence
      const generator = yield* AnswerGenerator

      const answer = Effect.fnUntraced(function* ({ question, ...request }: AskRequest) {
        const findings = yield* evidence.find({ query: question, ...request })
        const { hits, warnings } = findings
        const builder = new AnswerBuilder({
          question,
          sources: hits,
          passages: findings.request.passages,
          warnings,
          strict: answering.strict
        })
        const reason = reasonToAbstain(findings)
        const parts: Stream.Stream<AnswerPart, AnswerError> =
          reason === undefined
            ? generator.generate(findings.request)
            : Stream.succeed({ _tag: "Abstain", reason })
        return Stream.succeed<AnswerEvent>({ _tag: "Sources", sources: hits, warnings }).pipe(
          Stream.concat(
            parts.pipe(
              // parts come in batches: whether the answer ends is known for each of them
              Stream.map((part) => ({ events: builder.add(part), last: builder.isRefused })),
              // a refused answer stops the model
              Stream.takeUntil(({ last }) => last),
              Stream.flatMap(({ events }) => Stream.fromIterable(events))
            )
          ),
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
