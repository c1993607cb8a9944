import { assert, describe, it } from "@effect/vitest"
import { EmbedderProvider, HealthChecks } from "@omnirag/core/app"
import { memoryArtifacts } from "@omnirag/core/testing"
import { Effect, Latch, Queue } from "effect"
import { build, goodDouble, loadFrom } from "./embedderOfDouble.ts"
import { letterVector, type OllamaDouble, replyJson } from "@omnirag/testkit/OllamaDouble"

describe("embedder ollama: loading", () => {
  const loading = (double: OllamaDouble, options: Record<string, unknown> = {}) =>
    Effect.gen(function* () {
      const provider = yield* Effect.provideContext(EmbedderProvider, yield* build(double, options))
      return yield* provider.load(memoryArtifacts())
    })

  it.effect("a model that is not there names the pull command", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const error = yield* Effect.flip(loading(double, { model: "other" }))
      assert.match(error.message, /does not have the model "other"; run: ollama pull other$/)
    })
  )

  it.effect("a server that mixes up a batch is refused", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      double.on("/api/embed", ({ body }, response) => {
        const texts = (body["input"] as ReadonlyArray<string>).toReversed()
        response.end(JSON.stringify({ embeddings: texts.map((text) => letterVector(text)) }))
      })
      assert.match((yield* Effect.flip(loading(double))).message, /in the order of its texts$/)
    })
  )

  it.effect(
    "the fingerprint changes with the weights, the prefixes and the context, and with nothing else",
    () =>
      Effect.gen(function* () {
        const double = yield* goodDouble
        const first = (yield* loadFrom(double)).fingerprint
        assert.match(first, /^ollama:nomic-embed-text:27:[0-9a-f]{12}$/)
        assert.strictEqual((yield* loadFrom(double, { batchSize: 3, concurrency: 1 })).fingerprint, first)
        const others = [
          (yield* loadFrom(double, { prefixes: { query: "", document: "" } })).fingerprint,
          (yield* loadFrom(double, { contextTokens: 100 })).fingerprint
        ]
        double.on(
          "/api/tags",
          replyJson({ models: [{ name: "nomic-embed-text:latest", digest: "other weights" }] })
        )
        others.push((yield* loadFrom(double)).fingerprint)
        assert.strictEqual(new Set([first, ...others]).size, 4)
      })
  )

  it.effect("the health check tells whether the server and the model are there", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const context = yield* build(double)
      const { run } = yield* Effect.provideContext(HealthChecks, context)
      assert.deepStrictEqual(yield* run, [
        {
          name: "ollama embedder",
          healthy: true,
          optional: false,
          detail: `${double.url} is reachable and has the model "nomic-embed-text" (digest of no)`
        }
      ])
      double.on("/api/tags", replyJson({ models: [] }))
      const [missing] = yield* run
      assert.strictEqual(missing?.healthy, false)
      assert.match(missing?.detail ?? "", /run: ollama pull nomic-embed-text$/)
    })
  )

  it.effect("interruption ends every call under way", () =>
    Effect.gen(function* () {
      const double = yield* goodDouble
      const embedder = yield* loadFrom(double, { model: "m", batchSize: 1, concurrency: 3 })
      const latch = yield* Latch.make()
      let asked = 0
      double.on("/api/embed", () => {
        if (++asked === 3) latch.openUnsafe()
      })
      yield* Effect.raceFirst(embedder.embed(["a", "b", "c", "d"], "document"), latch.await)
      for (const _ of [1, 2, 3]) assert.strictEqual(yield* Queue.take(double.abandoned), "/api/embed")
      assert.strictEqual(asked, 3)
    })
  )
})
