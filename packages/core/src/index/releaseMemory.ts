import { Effect } from "effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Documents of fewer UTF-16 units, and runs of fewer chunks, leave too little behind to be worth a pause. */
const largeDocument = 8_000_000
const manyChunks = 2_000

let collect: (() => void) | undefined

/**
 * Collects garbage now. The engine leaves hundreds of megabytes lying when the system has memory to spare; what one
 * large document has left behind is released before the next step allocates as much again. A tenth of a second, where
 * a document of this size takes many.
 */
const collectGarbage = Effect.andThen(
  // in a turn of its own: the stack of this one may lead to what the steps before have worked on
  Effect.yieldNow,
  Effect.sync(() => {
    if (collect === undefined) {
      // the function is there on demand only; a new context sees the flag
      setFlagsFromString("--expose-gc")
      const found: unknown = runInNewContext("gc")
      collect =
        typeof found === "function"
          ? () => void found({ type: "major", flavor: "last-resort" })
          : () => undefined
    }
    collect()
  })
)

/** Lets go of what the steps before have left behind, when the document at hand is large. */
export const releaseDocument = (textLength: number): Effect.Effect<void> =>
  textLength < largeDocument ? Effect.void : collectGarbage

/** Lets go of what so many chunks have left behind, before the next stage of a run goes through all of them. */
export const releaseChunks = (chunks: number): Effect.Effect<void> =>
  chunks < manyChunks ? Effect.void : collectGarbage
