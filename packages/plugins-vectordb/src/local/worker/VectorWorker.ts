import { type MessagePort, Worker, type ResourceLimits } from "node:worker_threads"
import { Effect, type Scope } from "effect"
import { IndexCorrupt, VectorStoreError } from "@omnirag/core/plugin"
import type { Fault, Operation, Operations, Reply } from "./protocol.ts"

/** Rows on their way in are short-lived: more room for them, three times this, saves no time. */
const maxYoungGenerationSizeMb = 16

type Failure = VectorStoreError | IndexCorrupt
type Settle = (result: Effect.Effect<Operations[Operation]["output"], Failure>) => void

const toError = (store: string, fault: Fault): Failure =>
  fault._tag === "IndexCorrupt"
    ? new IndexCorrupt({ file: fault.file, reason: fault.reason, remedy: fault.remedy })
    : new VectorStoreError({
        store,
        reason: fault.reason,
        message: fault.message,
        ...(fault.cause === undefined ? {} : { cause: fault.cause })
      })

const gone = (store: string, cause: unknown) =>
  new VectorStoreError({
    store,
    reason: "unavailable",
    message: "the vector thread stopped; what was not flushed is lost, open the collection again",
    cause
  })

/** The thread that holds the vectors, seen from the main thread. */
export class VectorWorker {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { readonly store: string; readonly settle: Settle }>()
  #lastId = 0
  #ended: { readonly cause: unknown } | undefined

  constructor(resourceLimits: ResourceLimits | undefined) {
    this.#worker = new Worker(new URL("./vector.worker.ts", import.meta.url), {
      name: "omnirag-vectors",
      resourceLimits: { maxYoungGenerationSizeMb, ...resourceLimits }
    })
    this.#worker.unref()
    this.#worker.on("message", (reply: Reply) => {
      const waiting = this.#take(reply.id)
      waiting?.settle(
        reply.ok ? Effect.succeed(reply.output) : Effect.fail(toError(waiting.store, reply.fault))
      )
    })
    this.#worker.on("messageerror", (cause) => this.#end(cause))
    this.#worker.on("error", (cause) => this.#end(cause))
    this.#worker.on("exit", (code) => this.#end(new Error(`the thread ended with code ${code}`)))
  }

  get ended(): boolean {
    return this.#ended !== undefined
  }

  /** Asks and waits. An interrupted caller is forgotten: the late reply is dropped. */
  request<Name extends Operation>(
    store: string,
    operation: Name,
    input: Operations[Name]["input"],
    transfer: ReadonlyArray<ArrayBuffer | MessagePort> = []
  ): Effect.Effect<Operations[Name]["output"], Failure> {
    return Effect.callback((resume) => {
      if (this.#ended !== undefined) return resume(Effect.fail(gone(store, this.#ended.cause)))
      const id = ++this.#lastId
      try {
        this.#worker.postMessage({ id, operation, input }, [...transfer])
      } catch (cause) {
        return resume(
          Effect.fail(
            new VectorStoreError({
              store,
              reason: "native",
              message: `the call cannot be handed to the vector thread: ${String(cause)}`,
              cause
            })
          )
        )
      }
      // the thread keeps the process alive only while somebody waits for it
      if (this.#waiting.size === 0) this.#worker.ref()
      // the reply to an operation has its type by protocol.ts
      const settle = resume as Settle
      this.#waiting.set(id, { store, settle })
      return Effect.sync(() => {
        this.#take(id)
      })
    })
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #take(id: number): { readonly store: string; readonly settle: Settle } | undefined {
    const waiting = this.#waiting.get(id)
    if (waiting !== undefined) {
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#worker.unref()
    }
    return waiting
  }

  #end(cause: unknown): void {
    this.#ended ??= { cause }
    for (const [id, { settle, store }] of Array.from(this.#waiting)) {
      this.#waiting.delete(id)
      settle(Effect.fail(gone(store, this.#ended.cause)))
    }
  }
}

// One thread a process, whatever the number of stores: `faiss-node` crashes when two threads load it.
interface Shared {
  readonly worker: VectorWorker
  users: number
  stays: boolean
  idle: NodeJS.Timeout | undefined
}
let current: Shared | undefined
let ending: Promise<void> = Promise.resolve()

/** A thread without users ends after so many milliseconds: one collection is often closed to open the next. */
const idleTime = 10_000

const release = (mine: Shared): void => {
  mine.users -= 1
  if (mine.users > 0 || mine.stays) return
  mine.idle = setTimeout(() => {
    if (current === mine) current = undefined
    ending = mine.worker.terminate()
  }, idleTime)
  // neither the timer nor the thread keeps the process alive
  mine.idle.unref()
}

/** Shares the thread of this process: started for the first user, ended some time after the last. */
export const acquireVectorWorker = (
  resourceLimits?: ResourceLimits
): Effect.Effect<VectorWorker, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await ending
      if (current === undefined || current.worker.ended)
        current = { worker: new VectorWorker(resourceLimits), users: 0, stays: false, idle: undefined }
      clearTimeout(current.idle)
      current.users += 1
      return current
    }),
    (mine) => Effect.sync(() => release(mine))
  ).pipe(Effect.map((mine) => mine.worker))

/** Keeps the thread to the end of the process: a native module in it does not survive a second load. */
export const keepVectorWorker = (worker: VectorWorker): void => {
  if (current?.worker === worker) current.stays = true
}
