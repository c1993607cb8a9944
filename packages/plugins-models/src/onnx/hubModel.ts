import { Effect, Schedule } from "effect"
import { createWriteStream } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ModelFolderError } from "./ModelFolder.ts"

export interface HubModel {
  /** `owner/name` */
  readonly name: string
  readonly revision: string
  /** Root of the hub: files are at `<hub>/<name>/resolve/<revision>/<file>`. */
  readonly hub: string
  /** Weights inside the repository. */
  readonly file: string
}

/** Whether this text is the name of a hub model, as opposed to a path. */
export const isHubName = (model: string): boolean => /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(model)

const optionalFiles = [
  "config.json",
  "tokenizer_config.json",
  "sentence_bert_config.json",
  "modules.json",
  "1_Pooling/config.json"
]

/** Idle time after which a transfer is stopped and tried again. */
const stallMillis = 60_000

/** Copies one file; returns false when the hub has no such file. */
const download = async (url: string, target: string, signal: AbortSignal): Promise<boolean> => {
  const stalled = new AbortController()
  const timer = setTimeout(() => stalled.abort(new Error(`no data for ${stallMillis / 1000} s`)), stallMillis)
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, stalled.signal]) })
    if (response.status === 404) return false
    if (!response.ok || response.body === null) throw new Error(`HTTP status ${response.status}`)
    if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
      throw new Error("a web page came instead; is there a proxy or a login in between?")
    }
    await mkdir(dirname(target), { recursive: true })
    const part = `${target}.${process.pid}.part`
    const body = Readable.from(response.body)
    body.on("data", () => timer.refresh())
    try {
      await pipeline(body, createWriteStream(part), { signal })
      await rename(part, target)
    } finally {
      await rm(part, { force: true })
    }
    return true
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Copies a model from the hub into `folder`. The files are first copied into a folder next to it, which is renamed when
 * all files are there: so a folder with this name is complete.
 */
export const downloadHubModel = Effect.fn("downloadHubModel")(function* (
  model: HubModel,
  folder: string
): Effect.fn.Return<void, ModelFolderError> {
  const incoming = `${folder}.${process.pid}.incoming`
  const get = (file: string) => {
    const url = `${model.hub.replace(/\/$/, "")}/${model.name}/resolve/${model.revision}/${file}`
    return Effect.tryPromise({
      try: (signal) => download(url, join(incoming, file), signal),
      catch: (cause) =>
        new ModelFolderError({
          message: `${url} cannot be fetched: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause
        })
    }).pipe(Effect.retry({ times: 2, schedule: Schedule.exponential("500 millis") }))
  }
  const required = (file: string) =>
    Effect.flatMap(get(file), (found) =>
      found
        ? Effect.void
        : Effect.fail(
            new ModelFolderError({
              message: `the hub has no ${file} for ${model.name} at ${model.revision}; check the options model, revision and file`
            })
          )
    )
  const edge = (what: string, action: () => Promise<unknown>) =>
    Effect.tryPromise({
      try: action,
      catch: (cause) =>
        new ModelFolderError({ message: `${folder} cannot be ${what}: ${String(cause)}`, cause })
    })
  yield* Effect.gen(function* () {
    yield* Effect.logInfo(`fetching the model ${model.name} into ${folder}`)
    yield* required("tokenizer.json")
    yield* Effect.forEach(optionalFiles, get, { concurrency: 3, discard: true })
    yield* required(model.file)
    yield* get(`${model.file}_data`)
    yield* edge("written", () => rename(incoming, folder))
  }).pipe(Effect.ensuring(Effect.promise(() => rm(incoming, { recursive: true, force: true }))))
})
