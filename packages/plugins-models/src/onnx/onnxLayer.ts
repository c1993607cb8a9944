import { type Embedder, EmbedderProvider, EmbeddingError } from "@omnirag/core/plugin"
import { Effect, Layer, RcRef, type Scope } from "effect"
import { basename } from "node:path"
import { registerModelHealth } from "./modelHealth.ts"
import type { OnnxEmbedderOptions } from "./OnnxEmbedderOptions.ts"
import { familyOf, openModel } from "./openModel.ts"

const name = "onnx"

/** Texts of a call for each process. */
const textsPerWorker = 64

const embeddingError = (cause: { readonly message: string; readonly reason?: string }) =>
  new EmbeddingError({
    embedder: name,
    message: cause.message,
    retryable: cause.reason === "crashed" || cause.reason === "gone",
    cause
  })

const openEmbedder = Effect.fn("OnnxEmbedder.open")(function* (
  options: OnnxEmbedderOptions
): Effect.fn.Return<Embedder, EmbeddingError, Scope.Scope> {
  const family = familyOf(options.model)
  const prefixes = {
    query: options.queryPrefix ?? family.queryPrefix,
    document: options.documentPrefix ?? family.documentPrefix
  }
  const { pooling, overlap, workers, fusionWeight } = options
  const { fingerprint, pool } = yield* openModel("embed", options, {
    pooling,
    overlap,
    prefixes: [prefixes.query, prefixes.document]
  }).pipe(Effect.mapError(embeddingError))
  const { dimensions } = pool
  return {
    name: `onnx/${basename(options.model)}`,
    dimensions,
    fingerprint: `onnx:${fingerprint}`,
    fusionWeight,
    ...(family.relevanceFloor === undefined ? {} : { relevanceFloor: family.relevanceFloor }),
    batchSize: textsPerWorker * workers,
    // one call keeps all processes busy
    concurrency: 1,
    embed: Effect.fn("OnnxEmbedder.embed")(function* (texts, role) {
      const { numbers, warnings } = yield* Effect.mapError(
        pool.run({ context: prefixes[role], texts }),
        embeddingError
      )
      return {
        count: texts.length,
        dimensions,
        vectors: numbers,
        ...(warnings.length > 0 ? { warnings } : {})
      }
    })
  }
})

/** The embedder `onnx` with these options. */
export const onnxLayer = (options: OnnxEmbedderOptions) =>
  Layer.effect(
    EmbedderProvider,
    Effect.gen(function* () {
      // generations of an index that use the same model share its processes
      const shared = yield* RcRef.make({ acquire: openEmbedder(options) })
      yield* registerModelHealth("onnx embedder", options, RcRef.get(shared), { optional: false })
      return { name, load: () => Effect.asSome(RcRef.get(shared)) }
    })
  )
