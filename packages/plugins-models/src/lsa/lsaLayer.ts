import { type Artifacts, type Embedder, EmbedderProvider, IndexCorrupt } from "@omnirag/core/plugin"
import { Effect, Layer, Option, type Scope, Stream } from "effect"
import { makeProjector } from "./LsaModel.ts"
import type { LsaOptions } from "./LsaOptions.ts"
import { startWorker } from "./LsaWorker.ts"
import { decodeModel, type StoredModel } from "./modelBytes.ts"

const name = "lsa"

/** Measured on Cranfield, CISI and two sets over software documentation, see bench/ranking.ts. */
const fusionWeight = 0.5

/** Found with questions with and without an answer over software documentation, see docs/decisions. */
const relevanceFloor = 0.57

/** Texts sent to the worker thread at a time while learning. */
const textsPerMessage = 256

/** The artifact with the fitted model. */
const artifactName = "lsa-model"

const openEmbedder = Effect.fn("LsaEmbedder.open")(function* (
  { current, model }: StoredModel,
  fingerprint: string
): Effect.fn.Return<Embedder, never, Scope.Scope> {
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
      const { vectors } = yield* ask({ kind: "embed", texts, role })
      return { count, dimensions, vectors: vectors ?? new Float32Array() }
    })
  }
})

/** The embedder `lsa` with these options. */
export const lsaLayer = (options: LsaOptions): Layer.Layer<EmbedderProvider> =>
  Layer.effect(
    EmbedderProvider,
    Effect.sync(() => {
      const load = Effect.fn("LsaEmbedder.load")(function* (artifacts: Artifacts) {
        const artifact = yield* artifacts.get(artifactName)
        if (Option.isNone(artifact)) return Option.none()
        const stored = decodeModel(artifact.value.bytes)
        if ("fault" in stored) {
          return yield* new IndexCorrupt({
            file: `the artifact ${artifactName}`,
            reason: `it ${stored.fault}`,
            remedy: "rebuild"
          })
        }
        // has to be fitted again, like an embedder that was never fitted
        if ("outdated" in stored) return Option.none()
        return Option.some(yield* openEmbedder(stored, artifact.value.fingerprint))
      })

      const fit = <E, R>(corpus: Stream.Stream<string, E, R>, artifacts: Artifacts) =>
        Effect.scoped(
          Effect.gen(function* () {
            const ask = yield* startWorker({ task: "fit", options })
            yield* corpus.pipe(
              Stream.grouped(textsPerMessage),
              Stream.runForEach((texts) => ask({ kind: "learn", texts }))
            )
            return yield* ask({ kind: "finish" })
          })
        ).pipe(
          // the thread has ended by now, and its memory is free
          Effect.flatMap(({ model }) =>
            model === undefined ? Effect.void : artifacts.put(artifactName, model)
          ),
          Effect.withSpan("LsaEmbedder.fit")
        )

      return { name, load, fit, refitGrowth: 0.5 }
    })
  )
