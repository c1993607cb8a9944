import {
  type Answering,
  type AppError,
  Documents,
  type DocumentRecord,
  type Indexer,
  type IndexError,
  type Retriever,
  type SystemStatus
} from "@omnirag/core/app"
import { Shutdown } from "@omnirag/http"
import { Cause, Context, Effect, Exit, Result, Stream } from "effect"
import { GraphQLError } from "graphql"
import { makeDocumentLoader } from "./documentLoader.ts"
import { apiCodes, internalError, toGraphQLError } from "./errors.ts"
import { guardSubscriber, type SubscriberOptions } from "./guardSubscriber.ts"
import { countError, trackActive } from "./metrics.ts"

/** The use cases that resolvers may use. */
export type ApiServices = Answering | Documents | Indexer | Retriever | Shutdown | SystemStatus

/** What a resolver gets: the bridge between GraphQL's promises and Effect. */
export interface GraphQLContext {
  /** Runs a use case. It is interrupted when the client leaves; its errors become GraphQL errors with codes. */
  readonly run: <A>(effect: Effect.Effect<A, AppError, ApiServices>) => Promise<A>
  /**
   * Turns a stream into what a subscription returns. Events are pulled, never pushed: the stream never runs ahead of
   * its subscriber. It is interrupted when the subscriber leaves or stalls, and ends when the process begins to stop.
   */
  readonly stream: <A>(stream: Stream.Stream<A, AppError, ApiServices>) => AsyncIterable<A>
  /**
   * The document with this id, read together with the others that the request needs; null when it is not in the index.
   */
  readonly document: (id: string) => Effect.Effect<DocumentRecord | null, IndexError>
}

const cancelled = (): GraphQLError =>
  new GraphQLError("the operation was cancelled", { extensions: { code: apiCodes.cancelled } })

/** The error to throw for a cause: a typed error keeps its code; a defect is masked and logged with its cause. */
export const publicError = Effect.fnUntraced(function* (cause: Cause.Cause<AppError>) {
  if (Cause.hasInterruptsOnly(cause)) return cancelled()
  const typed = Cause.findError(cause)
  if (Result.isFailure(typed)) {
    yield* Effect.logError("GraphQL: unexpected failure", cause)
    yield* countError(apiCodes.internal)
    return internalError()
  }
  yield* Effect.logDebug(`GraphQL: ${typed.success.code}`, cause)
  yield* countError(typed.success.code)
  return toGraphQLError(typed.success)
})

/** The one place where the context of an operation is made, for HTTP, SSE and WebSocket alike. */
export const makeContext = (
  services: Context.Context<ApiServices>,
  { signal, stallAfterMs }: SubscriberOptions
): GraphQLContext => {
  const shutdown = Context.get(services, Shutdown)
  return {
    run: async (effect) => {
      const tracked = Effect.scoped(Effect.andThen(trackActive("resolver"), effect)).pipe(
        Effect.catchCause((cause) => Effect.flatMap(publicError(cause), Effect.fail))
      )
      const exit = await Effect.runPromiseExitWith(services)(tracked, signal ? { signal } : undefined)
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.hasInterruptsOnly(exit.cause) ? cancelled() : Cause.squash(exit.cause)
    },
    stream: (stream) =>
      guardSubscriber(
        Stream.unwrap(Effect.as(trackActive("stream"), stream)).pipe(
          Stream.interruptWhen(shutdown.await),
          Stream.catchCause((cause) => Stream.unwrap(Effect.map(publicError(cause), Stream.die))),
          Stream.toAsyncIterableWith(services)
        ),
        { signal, stallAfterMs }
      ),
    document: makeDocumentLoader(Context.get(services, Documents))
  }
}
