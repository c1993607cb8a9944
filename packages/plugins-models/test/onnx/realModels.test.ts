import { EmbedderProvider } from "@omnirag/core/app"
import { memoryArtifacts } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { buildEmbedder } from "./builtPlugins.ts"
import { models } from "@omnirag/testkit/models"

const texts = [
  "How do I reset my password?",
  "Follow these steps to restore access to your account.",
  "The harbour was full of fishing boats.",
  "Naïve café — 日本語 e-mail@example.org v2.0_beta"
]

/**
 * Cosines of the first text, as a question, with all four as passages. Origin: Python, onnxruntime 1.32.0 and
 * tokenizers 0.23.3 on the same files, one text a run, the model card's pooling and prefixes written out by hand.
 * `float`: the same with the unquantised weights (safetensors of all-MiniLM-L6-v2) through BERT in plain NumPy.
 */
const references: ReadonlyArray<{
  readonly name: string
  readonly cosines: ReadonlyArray<number>
  readonly float?: ReadonlyArray<number>
}> = [
  { name: "all-MiniLM-L6-v2-q", cosines: [1, 0.5368, -0.0195, 0.0184], float: [1, 0.547, -0.0242, 0.0198] },
  { name: "bge-small-en-v1.5-q", cosines: [0.9038, 0.6842, 0.2356, 0.4981] },
  { name: "e5-small-v2-q", cosines: [0.931, 0.8541, 0.6724, 0.8413] }
]

const load = Effect.fnUntraced(function* (options: Record<string, unknown>) {
  const context = yield* Layer.build(buildEmbedder(options))
  return Option.getOrThrow(yield* Context.get(context, EmbedderProvider).load(memoryArtifacts()))
})

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const row = (vectors: Float32Array, index: number): Float32Array =>
  vectors.subarray(index * 384, (index + 1) * 384)

for (const { name, cosines, float = cosines } of references) {
  const model = join(models, name)
  describe.skipIf(!existsSync(model))(
    `${name} (skipped where scripts/fetch-models.sh did not fetch it)`,
    () => {
      it.live("gives the cosines another implementation gives", () =>
        Effect.gen(function* () {
          const embedder = yield* load({ model })
          const question = yield* embedder.embed(texts.slice(0, 1), "query")
          const passages = yield* embedder.embed(texts, "document")
          assert.strictEqual(passages.dimensions, 384)
          cosines.forEach((cosine, index) => {
            const actual = dot(row(question.vectors, 0), row(passages.vectors, index))
            assert.closeTo(actual, cosine, 0.01)
            assert.closeTo(actual, float[index] ?? Number.NaN, 0.03)
          })
        })
      )

      it.live("gives a text the same vector, bit for bit, alone or among others", () =>
        Effect.gen(function* () {
          const embedder = yield* load({ model, workers: 2 })
          const many = Array.from(
            { length: 40 },
            (_, index) => texts[index % 4]?.repeat(1 + (index % 3)) ?? ""
          )
          const together = yield* embedder.embed(many, "document")
          const alone = yield* embedder.embed(many.slice(7, 8), "document")
          assert.deepStrictEqual(row(together.vectors, 7), row(alone.vectors, 0))
        })
      )
    }
  )
}
