import { GraphQLError } from "graphql"
import { apiCodes } from "./errors.ts"

export interface SubscriberOptions {
  /** Aborted when the client leaves or stops the operation. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds an event may wait for its subscriber. */
  readonly stallAfterMs: number
}

const slow = (): GraphQLError =>
  new GraphQLError("the subscriber took no event for too long; subscribe again", {
    extensions: { code: apiCodes.slow }
  })

/**
 * Stops an event source when `signal` aborts, and when the subscriber does not ask for the next event within
 * `stallAfterMs` after it received one. Before that, a slow subscriber only slows its own source, which keeps one event
 * for it. Without this limit, a stalled subscriber would occupy the source and what is behind it (a language model) for
 * ever.
 */
export const guardSubscriber = <A>(
  source: AsyncIterable<A>,
  { signal, stallAfterMs }: SubscriberOptions
): AsyncIterable<A> => ({
  [Symbol.asyncIterator]() {
    const iterator = source[Symbol.asyncIterator]()
    let stalled = false
    let timer: NodeJS.Timeout | undefined
    const stop = async (): Promise<IteratorResult<A>> =>
      (await iterator.return?.()) ?? { done: true, value: undefined }
    const onAbort = () => void stop()
    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
    }
    signal?.addEventListener("abort", onAbort, { once: true })
    return {
      next: async () => {
        clearTimeout(timer)
        if (stalled) {
          stalled = false
          throw slow()
        }
        if (signal?.aborted === true) return stop()
        try {
          const result = await iterator.next()
          if (result.done === true) release()
          else {
            timer = setTimeout(() => {
              stalled = true
              void stop()
            }, stallAfterMs)
            timer.unref()
          }
          return result
        } catch (error) {
          release()
          throw error
        }
      },
      return: () => {
        release()
        return stop()
      }
    }
  }
})
