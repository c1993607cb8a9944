import { parentPort, workerData } from "node:worker_threads"
import { fitModel } from "./fitModel.ts"
import { makeProjector } from "./LsaModel.ts"
import { encodeModel, projectionMemory } from "./modelBytes.ts"
import type { WorkerReply, WorkerRequest, WorkerResult, WorkerTask } from "./protocol.ts"
import { TermCounter } from "./TermCounter.ts"

const handlerOf = (task: WorkerTask): ((request: WorkerRequest) => WorkerResult) => {
  if (task.task === "embed") {
    const { dimensions } = task.model
    const project = makeProjector(task.model)
    return (request) => {
      if (request.kind !== "embed") return {}
      const vectors = new Float32Array(request.texts.length * dimensions)
      request.texts.forEach((text, index) => project(text, request.role, vectors, index * dimensions))
      return { vectors }
    }
  }
  const counter = new TermCounter(task.options)
  return (request) => {
    if (request.kind === "learn") for (const text of request.texts) counter.add(text)
    if (request.kind !== "finish") return {}
    const corpus = counter.finish()
    const memory = (numbers: number) => projectionMemory(corpus.terms, numbers)
    return { model: encodeModel(fitModel(corpus, { ...task.options, memory })) }
  }
}

const handle = handlerOf(workerData as WorkerTask)

/** The memory of a result, which goes to the other thread as it is. */
const memoryOf = ({ model, vectors }: WorkerResult): Array<ArrayBuffer> =>
  [model?.bytes, vectors].flatMap((part) => (part?.buffer instanceof ArrayBuffer ? [part.buffer] : []))

parentPort?.on("message", (request: WorkerRequest) => {
  const reply = (message: WorkerReply, transfer: Array<ArrayBuffer> = []) =>
    parentPort?.postMessage(message, transfer)
  try {
    const result = handle(request)
    reply({ id: request.id, result }, memoryOf(result))
  } catch (cause) {
    reply({ id: request.id, failure: cause instanceof Error ? cause.message : String(cause) })
  }
})
