import { type Embedder, EmbedderProvider, EmbeddingError, IndexCorrupt } from "@omnirag/core/plugin"
import { Effect, Layer, Option, type Scope, Stream } from "effect"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { makeProjector } from "./LsaModel.ts"
import type { LsaOptions } from "./LsaOptions.ts"
import { startWorker } from "./LsaWorker.ts"
import { decodeModel, type StoredModel } from "./modelFile.ts"

const name = "lsa"

/** Measured on Cranfield, CISI and two sets over software documentation, see bench/ranking.ts. */
const fusionWeight = 0.5

/** Found with questions with and without an answer over software documentation, see docs/decisions. */
const relevanceFloor = 0.57

/** Texts sent to the worker thread at a time while learning. */
const textsPerMessage = 256

/** The content of a file in memory that threads share. */
const readShared = async (file: string): Promise<Uint8Array<SharedArrayBuffer>> => {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const bytes = new Uint8Array(new SharedArrayBuffer(size))
    let length = 0
    while (length < size) {
      const { bytesRead } = await handle.read(bytes, length, size - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await handle.close()
  }
}

const modelFile = (folder: string): string => join(folder, "lsa.model")

const openEmbedder = Effect.fn("LsaEmbedder.open")(function* ({
  model,
  fingerprint,
  current
}: StoredModel): Effect.fn.Return<Embedder, never, Scope.Scope> {
  const { dimensions } = model
  const ask = yield* startWorker({ task: "embed", model })
  // a question is short: it is embedded here and never waits for a batch of passages
  const project = makeProjector(model)
  return {
    name,
    dimensions,
    fingerprint,
    ...(current
      ? {}
      : { obsolete: "another version of this program, which reads words differently, fitted lsa" }),
    fusionWeight,
    relevanceFloor,
    batchSize: 512,
    concurrency: 2,
    embed: Effect.fn("LsaEmbedder.embed")(function* (texts, role) {
      const count = texts.length
      if (role === "query" && count === 1) {
        const vectors = new Float32Array(dimensions)
        project(texts[0] ?? "", role, vectors, 0)
        return { count, dimensions, vectors }
      }
      const vectors = yield* ask({ kind: "embed", texts, role })
      return { count, dimensions, vectors: vectors ?? new Float32Array() }
    })
  }
})

/** The embedder `lsa` with these options. */
export const lsaLayer = (options: LsaOptions): Layer.Layer<EmbedderProvider> =>
  Layer.effect(
    EmbedderProvider,
    Effect.sync(() => {
      const load = Effect.fn("LsaEmbedder.load")(function* (folder: string) {
        const file = modelFile(folder)
        const bytes = yield* Effect.tryPromise({
          try: async () => (existsSync(file) ? Option.some(await readShared(file)) : Option.none()),
          catch: (cause) =>
            new EmbeddingError({
              embedder: name,
              message: `${file} cannot be read: ${String(cause)}`,
              retryable: false,
              cause
            })
        })
        if (Option.isNone(bytes)) return Option.none()
        const stored = decodeModel(bytes.value)
        if ("fault" in stored) {
          return yield* new IndexCorrupt({
            file,
            reason: stored.fault,
            repair: "run `omnirag index --rebuild`"
          })
        }
        // has to be fitted again, like an embedder that was never fitted
        if ("outdated" in stored) return Option.none()
        return Option.some(yield* openEmbedder(stored))
      })

      const fit = <E, R>(corpus: Stream.Stream<string, E, R>, folder: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const ask = yield* startWorker({ task: "fit", options, file: modelFile(folder) })
            yield* corpus.pipe(
              Stream.grouped(textsPerMessage),
              Stream.runForEach((texts) => ask({ kind: "learn", texts }))
            )
            yield* ask({ kind: "finish" })
          })
        ).pipe(Effect.withSpan("LsaEmbedder.fit"))

      return { name, load, fit, refitGrowth: 0.5 }
    })
  )
