import { Clock, Effect, Option, Queue } from "effect"

/**
 * Waits for an event, and then until none has come for `quietMs`; at the latest until `maximumMs` after the first one,
 * so that what never rests is seen all the same.
 */
export const afterQuiet = Effect.fnUntraced(function* (
  events: Queue.Dequeue<void>,
  quietMs: number,
  maximumMs: number
): Effect.fn.Return<void> {
  yield* Queue.take(events)
  const deadline = (yield* Clock.currentTimeMillis) + maximumMs
  while (true) {
    const left = deadline - (yield* Clock.currentTimeMillis)
    if (left <= 0) return
    const next = yield* Effect.timeoutOption(Queue.take(events), Math.min(quietMs, left))
    if (Option.isNone(next)) return
  }
})
