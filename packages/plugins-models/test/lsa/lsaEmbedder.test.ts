import { assert, describe, it } from "@effect/vitest"
import { type Artifact, CatalogError, EmbedderProvider, IndexCorrupt } from "@omnirag/core/app"
import { embedderConformance, memoryArtifacts, type MemoryArtifacts } from "@omnirag/core/testing"
import { Deferred, Effect, Fiber, Option, Stream } from "effect"
import { lsaEmbedder } from "../../src/lsa/lsaEmbedder.ts"
import { corpus } from "./corpus.ts"

const layer = lsaEmbedder.build({})

embedderConformance({ name: "lsa", layer, corpus })

const fit = Effect.fnUntraced(function* (texts: Iterable<string>, artifacts = memoryArtifacts()) {
  const provider = yield* EmbedderProvider
  yield* provider.fit?.(Stream.fromIterable(texts), artifacts) ?? Effect.die("lsa can be fitted")
  return artifacts
})

const load = Effect.fnUntraced(function* (artifacts: MemoryArtifacts) {
  return Option.getOrThrow(yield* (yield* EmbedderProvider).load(artifacts))
})

/** The artifact that a fit has left. */
const modelIn = ({ stored }: MemoryArtifacts): Artifact => {
  assert.deepStrictEqual([...stored.keys()], ["lsa-model"])
  const artifact = stored.get("lsa-model")
  assert(artifact !== undefined)
  return artifact
}

const similarity = Effect.fnUntraced(function* (artifacts: MemoryArtifacts, left: string, right: string) {
  const embedder = yield* load(artifacts)
  const [a, b] = [yield* embedder.embed([left], "query"), yield* embedder.embed([right], "document")]
  return a.vectors.reduce((sum, value, index) => sum + value * (b.vectors[index] ?? 0), 0)
}, Effect.scoped)

describe("lsa", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("has nothing to load before it was fitted", () =>
      Effect.gen(function* () {
        const artifacts = memoryArtifacts()
        assert.isTrue(Option.isNone(yield* (yield* EmbedderProvider).load(artifacts)))
        assert.strictEqual(artifacts.stored.size, 0)
      }).pipe(Effect.scoped)
    )

    it.effect("gives the same model for the same texts in any order", () =>
      Effect.gen(function* () {
        const model = modelIn(yield* fit(corpus))
        assert.deepStrictEqual(modelIn(yield* fit(corpus)), model)
        assert.deepStrictEqual(modelIn(yield* fit(corpus.toReversed())), model)
        const other = modelIn(yield* fit(corpus.slice(1)))
        assert.notDeepEqual(other.bytes, model.bytes)
        assert.notStrictEqual(other.fingerprint, model.fingerprint)
      })
    )

    it.effect("gives the zero vector to a text without known terms", () =>
      Effect.gen(function* () {
        const embedder = yield* load(yield* fit(corpus))
        for (const role of ["query", "document"] as const) {
          const { vectors } = yield* embedder.embed(["zebra", "", "\0"], role)
          assert.isTrue(vectors.every((value) => value === 0))
        }
      }).pipe(Effect.scoped)
    )

    it.effect.each([
      ["no text", []],
      ["one text", [corpus[0]]],
      ["one text twice", [corpus[0], corpus[0]]],
      ["blank texts", ["", " \n", "\0"]],
      ["one word", ["word"]],
      ["surrogates, base64 and words", ["\ud800 half", "QmFzZTY0".repeat(5_000), "a b", "a b c"]]
    ] as ReadonlyArray<[string, ReadonlyArray<string>]>)("fits a corpus of %s", ([, texts]) =>
      Effect.gen(function* () {
        const embedder = yield* load(yield* fit(texts))
        const { vectors } = yield* embedder.embed([...texts, "other"], "document")
        assert.isTrue(vectors.every((value) => Number.isFinite(value)))
        assert.strictEqual(vectors.length, (texts.length + 1) * embedder.dimensions)
        assert.isAtMost(embedder.dimensions, Math.max(1, texts.length))
      }).pipe(Effect.scoped)
    )

    it.effect("refuses bytes that cannot be a model, with what helps", () =>
      Effect.gen(function* () {
        const artifacts = yield* fit(corpus)
        const good = modelIn(artifacts)
        const bytes = Buffer.from(good.bytes)
        const provider = yield* EmbedderProvider
        const flipped = (at: number) => {
          const copy = Buffer.from(bytes)
          copy[at] = (copy[at] ?? 0) ^ 1
          return copy
        }
        const damaged: ReadonlyArray<[Buffer, RegExp]> = [
          [Buffer.alloc(0), /only 0 bytes/],
          [bytes.subarray(0, 19), /only 19 bytes/],
          [bytes.subarray(0, bytes.length - 1), /bytes long, not/],
          [Buffer.concat([bytes, Buffer.from("x")]), /bytes long, not/],
          [flipped(4), /bytes long, not/],
          [flipped(8), /bytes long, not/],
          [flipped(12), /bytes long, not/],
          [Buffer.from(bytes.toString("latin1").replace("\n", " "), "latin1"), /terms of/]
        ]
        for (const [content, reason] of damaged) {
          artifacts.stored.set("lsa-model", { ...good, bytes: content })
          const error = yield* Effect.flip(provider.load(artifacts))
          assert.strictEqual(error._tag, "IndexCorrupt")
          if (error._tag !== "IndexCorrupt") return
          assert.strictEqual(error.file, "the artifact lsa-model")
          assert.match(error.reason, reason)
          assert.strictEqual(error.remedy, "rebuild")
        }
        artifacts.stored.set("lsa-model", good)
        assert.isTrue(Option.isSome(yield* provider.load(artifacts)))
      }).pipe(Effect.scoped)
    )

    it.effect("passes on that its artifact is damaged", () =>
      Effect.gen(function* () {
        const corrupt = new IndexCorrupt({ file: "lsa-model", reason: "it is torn", remedy: "rebuild" })
        const artifacts = { ...memoryArtifacts(), get: () => Effect.fail(corrupt) }
        const error = yield* Effect.flip((yield* EmbedderProvider).load(artifacts))
        assert.strictEqual(error, corrupt)
      }).pipe(Effect.scoped)
    )

    it.effect("reads a model from wherever its bytes are in memory", () =>
      Effect.gen(function* () {
        const artifacts = yield* fit(corpus)
        const good = modelIn(artifacts)
        const vectors = Effect.scoped(
          Effect.flatMap(load(artifacts), (embedder) => embedder.embed(corpus, "document"))
        )
        const expected = yield* vectors
        for (const [buffer, offset] of [
          [new ArrayBuffer(good.bytes.length + 8), 3],
          [new SharedArrayBuffer(good.bytes.length + 8), 8],
          [new SharedArrayBuffer(good.bytes.length + 8), 1]
        ] as const) {
          const bytes = new Uint8Array(buffer, offset, good.bytes.length)
          bytes.set(good.bytes)
          artifacts.stored.set("lsa-model", { ...good, bytes })
          assert.deepStrictEqual(yield* vectors, expected)
        }
      })
    )

    it.effect(
      "fits anew what has another layout, and still uses what another analysis of texts learned",
      () =>
        Effect.gen(function* () {
          const artifacts = yield* fit(corpus)
          const good = modelIn(artifacts)
          const provider = yield* EmbedderProvider
          const loadOlder = (word: number) => {
            const older = Buffer.from(good.bytes)
            older.writeUInt32LE(older.readUInt32LE(word) - 1, word)
            artifacts.stored.set("lsa-model", { ...good, bytes: older })
            return provider.load(artifacts)
          }
          assert.isTrue(Option.isNone(yield* loadOlder(0)))
          const older = Option.getOrThrow(yield* loadOlder(16))
          assert.include(older.obsolete, "another version of this program")
          const fresh = yield* load(yield* fit(corpus))
          assert.isUndefined(fresh.obsolete)
          assert.deepStrictEqual(
            yield* older.embed(["walrus"], "query"),
            yield* fresh.embed(["walrus"], "query")
          )
        }).pipe(Effect.scoped)
    )

    it.effect("gives up a fit that is interrupted, and keeps what was there", () =>
      Effect.gen(function* () {
        const artifacts = yield* fit(corpus)
        const before = modelIn(artifacts)
        const provider = yield* EmbedderProvider
        const reached = yield* Deferred.make<void>()
        const endless = Stream.fromIterable(corpus).pipe(
          Stream.concat(Stream.fromEffect(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)))
        )
        const fiber = yield* Effect.forkChild(provider.fit?.(endless, artifacts) ?? Effect.void)
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(modelIn(artifacts), before)
      })
    )

    it.effect("passes a failure of the corpus on, and one of the store that it cannot write to", () =>
      Effect.gen(function* () {
        const provider = yield* EmbedderProvider
        const torn = provider.fit?.(Stream.fail("torn" as const), memoryArtifacts()) ?? Effect.void
        assert.strictEqual(yield* Effect.flip(torn), "torn")
        const full = new CatalogError({ operation: "put", message: "the disk is full" })
        const artifacts = { ...memoryArtifacts(), put: () => Effect.fail(full) }
        const error = yield* Effect.flip(provider.fit?.(Stream.make("a"), artifacts) ?? Effect.void)
        assert.strictEqual(error, full)
      })
    )

    it.effect("fails typed once its scope has ended", () =>
      Effect.gen(function* () {
        const embedder = yield* Effect.scoped(Effect.flatMap(fit(corpus), load))
        const error = yield* Effect.flip(embedder.embed(corpus, "document"))
        assert.strictEqual(error._tag, "EmbeddingError")
      })
    )
  })

  it.effect("finds words alike that stand in the same company, in the dimensions asked for", () =>
    Effect.gen(function* () {
      const artifacts = yield* fit(corpus)
      assert.strictEqual((yield* load(artifacts)).dimensions, 3)
      // "oven" stands in the fifth text alone; the sixth holds its companions
      assert.isAbove(yield* similarity(artifacts, "oven", corpus[5]), 0.8)
      assert.isBelow(yield* similarity(artifacts, "oven", corpus[3]), 0.3)
      assert.isAbove(yield* similarity(artifacts, "chase", corpus[1]), 0.8)
      assert.isBelow(yield* similarity(artifacts, "chase", corpus[5]), 0.3)
    }).pipe(Effect.scoped, Effect.provide(lsaEmbedder.build({ dimensions: 3 })))
  )

  it.effect("names every fault of its options", () =>
    Effect.gen(function* () {
      const faults = yield* lsaEmbedder.check({ dimensions: 0, seed: -1, size: 3 })
      assert.sameMembers(
        faults.map(({ path }) => path),
        ["dimensions", "seed", "size"]
      )
    })
  )
})
