import { assert, describe, it } from "@effect/vitest"
import { EmbedderProvider } from "@omnirag/core/app"
import { embedderConformance } from "@omnirag/core/testing"
import { Deferred, Effect, Fiber, Option, Stream } from "effect"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { lsaEmbedder } from "../../src/lsa/lsaEmbedder.ts"
import { corpus } from "./corpus.ts"

const root = mkdtempSync(join(tmpdir(), "omnirag-lsa-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => mkdtempSync(join(root, "m-"))

const layer = lsaEmbedder.build({})

embedderConformance({ name: "lsa", layer, folder: newFolder(), corpus })

const fit = Effect.fnUntraced(function* (texts: Iterable<string>, folder = newFolder()) {
  const provider = yield* EmbedderProvider
  yield* provider.fit?.(Stream.fromIterable(texts), folder) ?? Effect.die("lsa can be fitted")
  return folder
})

const load = Effect.fnUntraced(function* (folder: string) {
  return Option.getOrThrow(yield* (yield* EmbedderProvider).load(folder))
})

const similarity = Effect.fnUntraced(function* (folder: string, left: string, right: string) {
  const embedder = yield* load(folder)
  const [a, b] = [yield* embedder.embed([left], "query"), yield* embedder.embed([right], "document")]
  return a.vectors.reduce((sum, value, index) => sum + value * (b.vectors[index] ?? 0), 0)
}, Effect.scoped)

describe("lsa", () => {
  it.layer(layer, { excludeTestServices: true })((it) => {
    it.effect("has nothing to load before it was fitted", () =>
      Effect.gen(function* () {
        assert.isTrue(Option.isNone(yield* (yield* EmbedderProvider).load(newFolder())))
        assert.isTrue(Option.isNone(yield* (yield* EmbedderProvider).load(join(root, "not", "there"))))
      }).pipe(Effect.scoped)
    )

    it.effect("gives the same model for the same texts in any order", () =>
      Effect.gen(function* () {
        const read = (folder: string) => readFileSync(join(folder, "lsa.model"))
        const model = read(yield* fit(corpus))
        assert.isTrue(model.equals(read(yield* fit(corpus))))
        assert.isTrue(model.equals(read(yield* fit(corpus.toReversed()))))
        assert.isFalse(model.equals(read(yield* fit(corpus.slice(1)))))
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

    it.effect("refuses a torn, damaged or foreign file with the repair", () =>
      Effect.gen(function* () {
        const folder = yield* fit(corpus)
        const file = join(folder, "lsa.model")
        const good = readFileSync(file)
        const provider = yield* EmbedderProvider
        const flipped = (at: number) => {
          const bytes = Buffer.from(good)
          bytes[at] = (bytes[at] ?? 0) ^ 1
          return bytes
        }
        const damaged: ReadonlyArray<[Buffer, RegExp]> = [
          [Buffer.alloc(0), /only 0 bytes/],
          [good.subarray(0, 30), /only 30 bytes/],
          [good.subarray(0, good.length - 1), /bytes long, not/],
          [Buffer.concat([good, Buffer.from("x")]), /bytes long, not/],
          [Buffer.alloc(good.length), /not an LSA model/],
          [Buffer.from("SQLite format 3\0".repeat(100)), /not an LSA model/],
          [flipped(10), /checksum/],
          [flipped(40), /version/],
          [flipped(44), /bytes long, not/],
          [flipped(70), /checksum/],
          [flipped(good.length - 3), /checksum/]
        ]
        for (const [bytes, reason] of damaged) {
          writeFileSync(file, bytes)
          const error = yield* Effect.flip(provider.load(folder))
          assert.strictEqual(error._tag, "IndexCorrupt")
          if (error._tag !== "IndexCorrupt") return
          assert.strictEqual(error.file, file)
          assert.match(error.reason, reason)
          assert.strictEqual(error.repair, "run `omnirag index --rebuild`")
        }
        writeFileSync(file, good)
        assert.isTrue(Option.isSome(yield* provider.load(folder)))
      }).pipe(Effect.scoped)
    )

    it.effect(
      "fits anew what has another layout, and goes on with what another analysis of texts learned",
      () =>
        Effect.gen(function* () {
          const folder = yield* fit(corpus)
          const file = join(folder, "lsa.model")
          const good = readFileSync(file)
          const provider = yield* EmbedderProvider
          const loadOlder = (word: number) => {
            const older = Buffer.from(good)
            older.writeUInt32LE(older.readUInt32LE(word) - 1, word)
            createHash("sha256").update(older.subarray(40)).digest().copy(older, 8)
            writeFileSync(file, older)
            return provider.load(folder)
          }
          assert.isTrue(Option.isNone(yield* loadOlder(40)))
          const older = Option.getOrThrow(yield* loadOlder(56))
          assert.include(older.obsolete, "another version of this program")
          const fresh = Option.getOrThrow(yield* provider.load(yield* fit(corpus)))
          assert.isUndefined(fresh.obsolete)
          assert.deepStrictEqual(
            yield* older.embed(["walrus"], "query"),
            yield* fresh.embed(["walrus"], "query")
          )
        }).pipe(Effect.scoped)
    )

    it.effect("gives up a fit that is interrupted, and keeps what was there", () =>
      Effect.gen(function* () {
        const folder = yield* fit(corpus)
        const before = readFileSync(join(folder, "lsa.model"))
        const provider = yield* EmbedderProvider
        const reached = yield* Deferred.make<void>()
        const endless = Stream.fromIterable(corpus).pipe(
          Stream.concat(Stream.fromEffect(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)))
        )
        const fiber = yield* Effect.forkChild(provider.fit?.(endless, folder) ?? Effect.void)
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(readdirSync(folder), ["lsa.model"])
        assert.isTrue(before.equals(readFileSync(join(folder, "lsa.model"))))
      })
    )

    it.effect("passes a failure of the corpus on, and fails typed where it cannot write", () =>
      Effect.gen(function* () {
        const provider = yield* EmbedderProvider
        const torn = provider.fit?.(Stream.fail("torn" as const), newFolder()) ?? Effect.void
        assert.strictEqual(yield* Effect.flip(torn), "torn")
        const file = join(newFolder(), "a-file")
        writeFileSync(file, "")
        const error = yield* Effect.flip(provider.fit?.(Stream.make("a"), join(file, "below")) ?? Effect.void)
        assert.strictEqual(error._tag, "EmbeddingError")
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
      const folder = yield* fit(corpus)
      assert.strictEqual((yield* load(folder)).dimensions, 3)
      // "oven" stands in the fifth text alone; the sixth holds its companions
      assert.isAbove(yield* similarity(folder, "oven", corpus[5]), 0.8)
      assert.isBelow(yield* similarity(folder, "oven", corpus[3]), 0.3)
      assert.isAbove(yield* similarity(folder, "chase", corpus[1]), 0.8)
      assert.isBelow(yield* similarity(folder, "chase", corpus[5]), 0.3)
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
