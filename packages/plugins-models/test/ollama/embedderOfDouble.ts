import { EmbedderProvider, HealthChecks } from "@omnirag/core/app"
import { memoryArtifacts } from "@omnirag/core/testing"
import { Effect, Layer, Option, Queue } from "effect"
import { ollamaEmbedder } from "../../src/ollama/ollamaEmbedder.ts"
import { describeModels, makeOllamaDouble, type OllamaDouble } from "@omnirag/testkit/OllamaDouble"

/** The layer of the embedder that talks to a double, and its health check; nothing is repeated. */
export const build = (double: OllamaDouble, options: Record<string, unknown> = {}) =>
  Layer.build(
    ollamaEmbedder
      .build({ url: double.url, retries: 0, ...options })
      .pipe(Layer.provideMerge(HealthChecks.layer))
  )

/** The embedder of a double with good answers; what it asked while loading is taken out of the record. */
export const loadFrom = Effect.fnUntraced(function* (
  double: OllamaDouble,
  options: Record<string, unknown> = {}
) {
  const context = yield* build(double, options)
  const provider = yield* Effect.provideContext(EmbedderProvider, context)
  const embedder = yield* provider.load(memoryArtifacts())
  yield* Queue.takeAll(double.received)
  return Option.getOrThrow(embedder)
})

/** A double with two models and good answers. */
export const goodDouble = Effect.tap(makeOllamaDouble, (double) => Effect.sync(() => describeModels(double)))
