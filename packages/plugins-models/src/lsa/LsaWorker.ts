import { EmbeddingError } from "@omnirag/core/plugin"
import { Effect, type Scope } from "effect"
import { Worker } from "node:worker_threads"
import type { WorkerReply, WorkerRequest, WorkerResult, WorkerTask } from "./protocol.ts"

/** A request without its number; the owner of the worker adds it. */
type Unnumbered<Request> = Request extends unknown ? Omit<Request, "id"> : never

/** Sends a request to a worker thread and waits for its reply. */
export type Ask = (request: Unnumbered<WorkerRequest>) => Effect.Effect<WorkerResult, EmbeddingError>

const failed = (message: string, cause?: unknown) =>
  new EmbeddingError({
    embedder: "lsa",
    message: `lsa: ${message}`,
    retryable: false,
    ...(cause === undefined ? {} : { cause })
  })

/** The garbage of a text is short-lived: three times as much room for it saves no time. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/** Starts a worker thread that ends with the scope; requests without a reply then fail. */
export const startWorker = Effect.fn("LsaWorker.start")(function* (
  task: WorkerTask
): Effect.fn.Return<Ask, never, Scope.Scope> {
  const waiting = new Map<number, (result: Effect.Effect<WorkerResult, EmbeddingError>) => void>()
  let gone: EmbeddingError | undefined
  const worker = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Worker(new URL("./lsa.worker.ts", import.meta.url), {
          workerData: task,
          resourceLimits
        })
    ),
    (worker) => Effect.promise(() => worker.terminate())
  )
  // the process may end while the thread is idle, but not while a caller waits for it
  const settle = (id: number) => {
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  }
  const end = (error: EmbeddingError) => {
    gone ??= error
    for (const resume of waiting.values()) resume(Effect.fail(gone))
    waiting.clear()
  }
  worker.on("error", (cause) => end(failed(`the worker thread failed: ${String(cause)}`, cause)))
  worker.on("exit", (code) => end(failed(`the worker thread ended with code ${code}`)))
  worker.on("message", (reply: WorkerReply) => {
    const resume = waiting.get(reply.id)
    settle(reply.id)
    resume?.("failure" in reply ? Effect.fail(failed(reply.failure)) : Effect.succeed(reply.result))
  })
  worker.unref()
  let next = 0
  return (request) =>
    Effect.callback((resume) => {
      if (gone !== undefined) return resume(Effect.fail(gone))
      const id = next++
      waiting.set(id, resume)
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ ...request, id })
      return Effect.sync(() => settle(id))
    })
})
