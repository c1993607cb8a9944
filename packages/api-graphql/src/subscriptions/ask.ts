import {
  Answering,
  type AppError,
  type FailedEvent,
  type LiveAnswerEvent,
  operations
} from "@omnirag/core/app"
import { Cause, Effect, Result, Stream } from "effect"
import { askArguments, askComplexity, decodeAsk } from "../askArguments.ts"
import { builder } from "../builder.ts"
import { publicError } from "../context.ts"
import { apiCodes } from "../errors.ts"
import { AnswerEventRef } from "../types/AnswerEvent.ts"

/** The last event for a failure; none for an interruption, since then no one is listening. */
const failed = (cause: Cause.Cause<AppError>): Stream.Stream<FailedEvent, AppError> => {
  if (Cause.hasInterruptsOnly(cause)) return Stream.failCause(cause)
  const typed = Cause.findError(cause)
  return Stream.fromEffect(
    Effect.map(publicError(cause), (error) => ({
      _tag: "Failed" as const,
      code: String(error.extensions["code"] ?? apiCodes.internal),
      message: error.message,
      retryable:
        Result.isSuccess(typed) && "retryable" in typed.success ? typed.success.retryable === true : false
    }))
  )
}

builder.subscriptionField("ask", (t) =>
  t.field({
    type: AnswerEventRef,
    description: operations.askLive.description,
    args: askArguments,
    complexity: askComplexity,
    subscribe: (_root, args, context) =>
      context.stream(
        Stream.unwrap(
          Effect.gen(function* () {
            const request = yield* decodeAsk(args)
            const answering = yield* Answering
            return answering.stream(request)
          })
        ).pipe(Stream.catchCause(failed))
      ),
    resolve: (event: LiveAnswerEvent) => event
  })
)
