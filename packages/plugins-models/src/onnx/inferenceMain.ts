import { setImmediate as nextTurn } from "node:timers/promises"
import { openEmbeddingTask } from "./embeddingTask.ts"
import type { ChildMessage, InferenceTask, ParentMessage } from "./inferenceProtocol.ts"
import { openScoringTask } from "./scoringTask.ts"

/**
 * Main file of an inference process. It is a process and not a thread because a thread that is ended during a run ends
 * the whole server, and so does a crash of the native runtime.
 */

const cancelled = new Set<number>()

const send = (message: ChildMessage): void => {
  process.send?.(message)
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`
}

let task: Promise<InferenceTask> | undefined
// requests are handled one after the other, however many the parent sends
let queue: Promise<void> = Promise.resolve()

const receive = async (message: ParentMessage): Promise<void> => {
  switch (message.type) {
    case "open": {
      task = message.spec.task === "embed" ? openEmbeddingTask(message.spec) : openScoringTask(message.spec)
      return task.then(
        ({ dimensions }) => send({ type: "opened", dimensions }),
        (error: unknown) => send({ type: "refused", message: messageOf(error) })
      )
    }
    case "run": {
      const { id, request } = message
      try {
        if (task === undefined) throw new Error("no model is open")
        const result = await (
          await task
        ).run(request, async () => {
          await nextTurn()
          if (cancelled.has(id)) throw new Error("cancelled")
        })
        return send({ type: "done", id, result })
      } catch (error) {
        return send({ type: "failed", id, message: messageOf(error) })
      } finally {
        cancelled.delete(id)
      }
    }
    case "cancel":
  }
}

process.on("message", (message: ParentMessage) => {
  if (message.type === "cancel") cancelled.add(message.id)
  else queue = queue.then(() => receive(message))
})
// the parent decides when this process ends: a Ctrl-C for the parent must not stop work that it is still waiting for
process.on("SIGINT", () => {})
process.on("SIGTERM", () => {})
process.on("disconnect", () => process.exit(0))
