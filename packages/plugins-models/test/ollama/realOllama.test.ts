import { assert, describe, it } from "@effect/vitest"
import { EmbedderProvider, HealthChecks, ModelContext } from "@omnirag/core/app"
import { makeLlmAnswers } from "@omnirag/core/llm"
import { memoryArtifacts } from "@omnirag/core/testing"
import { Context, Effect, Fiber, Layer, Option, Queue, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ollamaEmbedder } from "../../src/ollama/ollamaEmbedder.ts"
import { ollamaModel } from "../../src/ollama/ollamaModel.ts"
import { passage } from "@omnirag/testkit/passages"
import { hasOllama, modelsFolder, type RealOllama, startOllama } from "@omnirag/testkit/RealOllama"
import { tinyModel } from "@omnirag/testkit/tinyModel"

class Server extends Context.Service<Server, RealOllama>()("test/RealOllama") {
  static readonly layer = Layer.effect(
    Server,
    Effect.gen(function* () {
      const server = yield* startOllama
      yield* server.create("tiny", { "tiny.gguf": tinyModel() }, "{{ .System }}{{ .Prompt }}")
      return server
    })
  )
}

const reason = hasOllama ? "" : " (skipped: run scripts/fetch-ollama.sh for a server)"
const modelLayer = (options: Record<string, unknown> = {}) =>
  Layer.unwrap(
    Server.use(({ url }) =>
      Effect.succeed(
        ollamaModel
          .build({ url, model: "tiny", contextTokens: 512, answerTokens: 16, ...options })
          .pipe(Layer.provideMerge(HealthChecks.layer))
      )
    )
  )
const loadEmbedder = Effect.fnUntraced(function* (options: Record<string, unknown>) {
  const { url } = yield* Server
  const context = yield* Layer.build(
    ollamaEmbedder.build({ url, ...options }).pipe(Layer.provideMerge(HealthChecks.layer))
  )
  const provider = Context.get(context, EmbedderProvider)
  return Option.getOrThrow(yield* provider.load(memoryArtifacts()))
})
const cosine = (vectors: Float32Array, dimensions: number, left: number, right: number) => {
  let dot = 0
  for (let at = 0; at < dimensions; at++) {
    dot += (vectors[left * dimensions + at] ?? 0) * (vectors[right * dimensions + at] ?? 0)
  }
  return dot
}

describe.skipIf(!hasOllama)(`a real Ollama server${reason}`, () => {
  // one server for all of them
  const withServer = it.layer(Server.layer, { timeout: "2 minutes", excludeTestServices: true })
  withServer("with a model of random weights", (test) => {
    test.effect("embeds: unit vectors, in order, whatever the batches", () =>
      Effect.gen(function* () {
        const embedder = yield* loadEmbedder({ model: "tiny", batchSize: 5 })
        assert.strictEqual(embedder.dimensions, 64)
        const texts = Array.from({ length: 9 }, (_, index) => `text number ${index}`)
        const all = yield* embedder.embed(texts, "document")
        assert.strictEqual(all.vectors.length, 9 * 64)
        for (const [index, text] of texts.entries()) {
          assert.closeTo(cosine(all.vectors, 64, index, index), 1, 1e-5)
          if (index % 4 !== 0) continue
          const { vectors: alone } = yield* embedder.embed([text], "document")
          const row = all.vectors.subarray(index * 64, (index + 1) * 64)
          let dot = 0
          for (const [at, value] of alone.entries()) dot += value * (row[at] ?? 0)
          assert.closeTo(dot, 1, 1e-3)
        }
      })
    )

    test.effect("embeds a text above its context in windows, and says so", () =>
      Effect.gen(function* () {
        const embedder = yield* loadEmbedder({ model: "tiny" })
        // every character is a token of this model, far more than the estimate expects
        const { vectors, warnings } = yield* embedder.embed(["short", "a long text ".repeat(200)], "document")
        assert.closeTo(cosine(vectors, 64, 1, 1), 1, 1e-5)
        assert.deepStrictEqual(
          warnings?.map(({ index }) => index),
          [1]
        )
        assert.match(
          warnings?.[0]?.message ?? "",
          /^longer than the 512 tokens of the model: embedded as the mean of \d+ windows$/
        )
      })
    )

    test.effect("streams the same text it gives as a whole, and counts tokens", () =>
      Effect.gen(function* () {
        const prompt = "Which port?"
        const { text, usage } = yield* LanguageModel.generateText({ prompt })
        const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt }))
        const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []))
        assert.isAbove(deltas.length, 1)
        assert.strictEqual(deltas.join(""), text)
        assert.isAbove(usage.inputTokens.total ?? 0, 5)
        const last = parts.at(-1)
        assert.isTrue(last?.type === "finish" && (last.usage.outputTokens.total ?? 0) >= deltas.length)
      }).pipe(Effect.provide(modelLayer()))
    )

    test.effect("a prompt that the server cut is reported with the answer", () =>
      Effect.gen(function* () {
        // each letter is a token of this model, so that what is estimated to fit does not
        const context = yield* ModelContext
        const { generate } = makeLlmAnswers(yield* LanguageModel.LanguageModel, context, {
          instructions: "Answer from the passages."
        })
        const parts = yield* Stream.runCollect(
          generate({
            question: "Which port?",
            passages: [passage(1, "Port 80. ".repeat(40))],
            termWeights: new Map()
          })
        )
        assert.deepStrictEqual(parts[0], { _tag: "Passages", numbers: [1] })
        const warnings = parts.flatMap((part) => (part._tag === "Warning" ? [part.message] : []))
        assert.match(
          warnings.at(-1) ?? "",
          /^the prompt took 5\d\d tokens instead of the 496 it may have; the model may not have seen all of it$/
        )
      }).pipe(Effect.provide(modelLayer()))
    )

    test.effect("takes keep_alive in each of its forms, and the name of a model in each of its", () =>
      Effect.gen(function* () {
        const fingerprints = yield* Effect.forEach(
          [
            { model: "tiny", keepAlive: "-1" },
            { model: "Tiny", keepAlive: "600" },
            { model: "library/tiny", keepAlive: 0 },
            { model: "registry.ollama.ai/library/tiny:latest", keepAlive: "1h30m" }
          ],
          (options) => Effect.map(loadEmbedder(options), ({ fingerprint }) => fingerprint.split(":").at(-1))
        )
        assert.strictEqual(new Set(fingerprints).size, 1)
      })
    )

    test.effect("stops generating when the reader leaves", () =>
      Effect.gen(function* () {
        const { logged } = yield* Server
        // the server logs a request when it is through with it; thousands of tokens would take far longer
        const ended = yield* logged(/POST\s+"\/api\/chat"/)
        const first = yield* Queue.unbounded<string>()
        const fiber = yield* LanguageModel.streamText({ prompt: "Count." }).pipe(
          Stream.runForEach((part) =>
            part.type === "text-delta" ? Queue.offer(first, part.delta) : Effect.void
          ),
          Effect.forkChild
        )
        yield* Queue.take(first)
        yield* Fiber.interrupt(fiber)
        assert.match((yield* Effect.timeout(ended, "10 seconds")) ?? "", /\| 200 \|/)
      }).pipe(Effect.provide(modelLayer({ contextTokens: 8192, answerTokens: 4096 })))
    )

    test.effect("a model it does not have names the pull command", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(loadEmbedder({ model: "absent" }))
        assert.match(error.message, /does not have the model "absent"; run: ollama pull absent$/)
        const asked = yield* LanguageModel.generateText({ prompt: "?" }).pipe(
          Effect.provide(modelLayer({ model: "absent" })),
          Effect.flip
        )
        assert.match(asked.message, /run: ollama pull absent$/)
      })
    )

    const miniLm = join(modelsFolder, "all-MiniLM-L6-v2")
    const hasMiniLm = existsSync(miniLm)
    test.effect.skipIf(!hasMiniLm)(
      `finds by meaning with all-MiniLM-L6-v2${hasMiniLm ? "" : " (skipped: run scripts/fetch-models.sh all-MiniLM-L6-v2)"}`,
      () =>
        Effect.gen(function* () {
          const { create } = yield* Server
          const files = readdirSync(miniLm, { recursive: true, encoding: "utf8" }).filter((name) =>
            /\.(?:json|safetensors)$/.test(name)
          )
          yield* create(
            "all-minilm",
            Object.fromEntries(files.map((name) => [name, readFileSync(join(miniLm, name))]))
          )
          const embedder = yield* loadEmbedder({ model: "all-minilm" })
          assert.strictEqual(embedder.dimensions, 384)
          const { vectors } = yield* embedder.embed(
            [
              "How do I stop the server?",
              "Press Ctrl+C to shut the process down.",
              "The recipe needs two eggs."
            ],
            "document"
          )
          assert.isAbove(cosine(vectors, 384, 0, 1), cosine(vectors, 384, 0, 2) + 0.2)
        })
    )
  })
})
