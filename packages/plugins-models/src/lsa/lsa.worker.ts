import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { fitModel } from "./fitModel.ts"
import { makeProjector } from "./LsaModel.ts"
import { encodeModel } from "./modelFile.ts"
import type { WorkerReply, WorkerRequest, WorkerTask } from "./protocol.ts"
import { TermCounter } from "./TermCounter.ts"

/** Replaces the file in one step: a reader, also after a crash, finds the old bytes or the new ones. */
const replaceFile = (file: string, parts: ReadonlyArray<Uint8Array>): void => {
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.tmp`
  const handle = openSync(temporary, "w")
  try {
    for (const part of parts) writeFileSync(handle, part)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
  const folder = openSync(dirname(file), "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const handlerOf = (task: WorkerTask): ((request: WorkerRequest) => Float32Array | undefined) => {
  if (task.task === "embed") {
    const { dimensions } = task.model
    const project = makeProjector(task.model)
    return (request) => {
      if (request.kind !== "embed") return undefined
      const vectors = new Float32Array(request.texts.length * dimensions)
      request.texts.forEach((text, index) => project(text, request.role, vectors, index * dimensions))
      return vectors
    }
  }
  const counter = new TermCounter(task.options)
  return (request) => {
    if (request.kind === "learn") for (const text of request.texts) counter.add(text)
    if (request.kind === "finish") {
      replaceFile(task.file, encodeModel(fitModel(counter.finish(), task.options)))
    }
    return undefined
  }
}

const handle = handlerOf(workerData as WorkerTask)

parentPort?.on("message", (request: WorkerRequest) => {
  const reply = (message: WorkerReply, transfer: ReadonlyArray<ArrayBuffer> = []) =>
    parentPort?.postMessage(message, [...transfer])
  try {
    const vectors = handle(request)
    if (vectors === undefined) reply({ id: request.id })
    else reply({ id: request.id, vectors }, [vectors.buffer as ArrayBuffer])
  } catch (cause) {
    reply({ id: request.id, failure: cause instanceof Error ? cause.message : String(cause) })
  }
})
