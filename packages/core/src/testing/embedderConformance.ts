import { assert, it } from "@effect/vitest"
import { Effect, type Layer, Option, type Scope, Stream } from "effect"
import type { CatalogError, EmbeddingError, IndexCorrupt } from "../domain/errors.ts"
import { dotProduct } from "../domain/dotProduct.ts"
import { type Embedder, type Embeddings, EmbedderProvider } from "../ports/EmbedderProvider.ts"
import { memoryArtifacts } from "./memoryArtifacts.ts"

export interface EmbedderConformanceOptions<E> {
  readonly name: string
  readonly layer: Layer.Layer<EmbedderProvider, E>
  /** At least three texts about different things; a fitted embedder learns from them. */
  readonly corpus: readonly [string, string, string, ...ReadonlyArray<string>]
  /** How far a number of a vector may move with the other texts of its call; 0 where texts are embedded one by one. */
  readonly tolerance?: number
}

/** Texts that trip tokenizers up: each must get a vector like any other, or the zero vector. */
const awkward = [
  "",
  " \n\t",
  "\0",
  "\ud800 half a character",
  "👩‍👩‍👧‍👦".repeat(50),
  "漢字 ".repeat(200),
  "QmFzZTY0IGxpbmVz".repeat(2_500)
]

const rowOf = ({ dimensions, vectors }: Embeddings, row: number): Float32Array =>
  vectors.slice(row * dimensions, (row + 1) * dimensions)

const assertClose = (left: Float32Array, right: Float32Array, tolerance: number): void => {
  assert.strictEqual(left.length, right.length)
  left.forEach((value, index) => assert.isAtMost(Math.abs(value - (right[index] ?? Number.NaN)), tolerance))
}

/**
 * What every embedder promises, for plugin authors: call it in a test file. As many vectors as texts, in their order,
 * finite and of length 1 (or 0), the same for the same text, and a fingerprint that stays.
 */
export const embedderConformance = <E>(options: EmbedderConformanceOptions<E>): void => {
  const { name, corpus } = options
  const artifacts = memoryArtifacts()
  const tolerance = options.tolerance ?? 0

  /** Loads the embedder, fitted first where it learns from a corpus. */
  const open: Effect.Effect<
    Embedder,
    EmbeddingError | IndexCorrupt | CatalogError,
    EmbedderProvider | Scope.Scope
  > = Effect.gen(function* () {
    const provider = yield* EmbedderProvider
    const loaded = yield* provider.load(artifacts)
    if (Option.isSome(loaded)) return loaded.value
    assert.isDefined(provider.fit, "an embedder that cannot be loaded can be fitted")
    yield* provider.fit?.(Stream.fromIterable(corpus), artifacts) ?? Effect.void
    return Option.getOrThrow(yield* provider.load(artifacts))
  })

  it.layer(options.layer, { excludeTestServices: true, timeout: "2 minutes" })(
    `${name} keeps the contract of an embedder`,
    (it) => {
      it.effect("describes itself within bounds", () =>
        Effect.gen(function* () {
          const embedder = yield* open
          assert.notStrictEqual(embedder.name, "")
          assert.notStrictEqual(embedder.fingerprint, "")
          assert.isTrue(Number.isInteger(embedder.dimensions) && embedder.dimensions >= 1)
          assert.isTrue(Number.isInteger(embedder.batchSize) && embedder.batchSize >= 1)
          assert.isTrue(Number.isInteger(embedder.concurrency) && embedder.concurrency >= 1)
          assert.isTrue(embedder.fusionWeight >= 0 && embedder.fusionWeight <= 1)
        })
      )

      it.effect("has the same fingerprint and vectors when it is loaded again", () =>
        Effect.gen(function* () {
          const once = yield* Effect.scoped(
            Effect.flatMap(open, (embedder) =>
              Effect.map(embedder.embed(corpus, "document"), ({ vectors }) => ({ ...embedder, vectors }))
            )
          )
          const again = yield* open
          assert.strictEqual(again.fingerprint, once.fingerprint)
          assert.strictEqual(again.dimensions, once.dimensions)
          const { vectors } = yield* again.embed(corpus, "document")
          assertClose(vectors, once.vectors, tolerance)
        })
      )

      it.effect("gives no vector for no text", () =>
        Effect.gen(function* () {
          const { count, vectors } = yield* (yield* open).embed([], "document")
          assert.strictEqual(count, 0)
          assert.strictEqual(vectors.length, 0)
        })
      )

      for (const role of ["document", "query"] as const) {
        it.effect(`gives a ${role} a finite vector of length 1 or 0, whatever it holds`, () =>
          Effect.gen(function* () {
            const embedder = yield* open
            const texts = [...awkward, ...corpus]
            const embeddings = yield* embedder.embed(texts, role)
            assert.strictEqual(embeddings.count, texts.length)
            assert.strictEqual(embeddings.dimensions, embedder.dimensions)
            assert.strictEqual(embeddings.vectors.length, texts.length * embedder.dimensions)
            texts.forEach((_, row) => {
              const length = Math.sqrt(dotProduct(rowOf(embeddings, row), rowOf(embeddings, row)))
              assert.isTrue(length === 0 || Math.abs(length - 1) < 1e-3, `row ${row} has length ${length}`)
            })
          })
        )

        it.effect(`gives a ${role} the same vector wherever it stands, alone and twice`, () =>
          Effect.gen(function* () {
            const embedder = yield* open
            const texts = [...corpus, ...awkward, ...corpus]
            const forwards = yield* embedder.embed(texts, role)
            const backwards = yield* embedder.embed(texts.toReversed(), role)
            for (const [row, text] of texts.entries()) {
              const alone = yield* embedder.embed([text], role)
              assertClose(rowOf(forwards, row), rowOf(alone, 0), tolerance)
              assertClose(rowOf(forwards, row), rowOf(backwards, texts.length - 1 - row), tolerance)
            }
          })
        )
      }

      it.effect("finds each text nearest to itself", () =>
        Effect.gen(function* () {
          const embedder = yield* open
          const documents = yield* embedder.embed(corpus, "document")
          const queries = yield* embedder.embed(corpus, "query")
          corpus.forEach((text, query) => {
            const scores = corpus.map((_, row) => dotProduct(rowOf(queries, query), rowOf(documents, row)))
            assert.strictEqual(scores.indexOf(Math.max(...scores)), query, text)
          })
        })
      )

      it.effect("serves as many calls at once as it says", () =>
        Effect.gen(function* () {
          const embedder = yield* open
          const alone = yield* embedder.embed(corpus, "document")
          const all = yield* Effect.forEach(
            Array.from({ length: 2 * embedder.concurrency }),
            () => embedder.embed(corpus, "document"),
            { concurrency: "unbounded" }
          )
          for (const { vectors } of all) assertClose(vectors, alone.vectors, tolerance)
        })
      )
    }
  )
}
