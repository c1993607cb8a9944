import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { type Artifacts, ArtifactStore } from "../ports/ArtifactStore.ts"
import type { GenerationRef } from "../ports/GenerationRef.ts"
import { freshIndex } from "./freshIndex.ts"

/** What the suite must know of an artifact store. */
export interface ArtifactConformance<E, R> {
  readonly name: string
  /** Each test gets the layer anew, and a generation of its own. `R` is what `damage` needs besides. */
  readonly layer: Layer.Layer<ArtifactStore | R, E>
  /** Changes the bytes that are stored of an artifact, past the store. */
  readonly damage: (
    generation: GenerationRef,
    name: string,
    change: (bytes: Uint8Array) => Uint8Array
  ) => Effect.Effect<void, unknown, R>
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const same = (left: Uint8Array, right: Uint8Array): boolean => Buffer.from(left).equals(right)

/** Bytes of every value, of this length, repeatable. */
const pattern = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >>> 8) * 17) & 0xff
  return bytes
}

const large = 20_000_003

/**
 * The contract of `ArtifactStore` as tests, see the table in `testing/index.ts`. In the test file of a plugin:
 *
 * ```ts
 * artifactConformance({ name: "my artifacts", layer: myArtifacts, damage: (generation, name, change) => … })
 * ```
 */
export const artifactConformance = <E, R = never>(options: ArtifactConformance<E, R>): void => {
  const test = (
    title: string,
    body: (artifacts: Artifacts, generation: GenerationRef) => Effect.Effect<void, unknown, ArtifactStore | R>
  ): void => {
    it.live(title, () => {
      const generation = { index: freshIndex(), id: "g-000001" }
      return ArtifactStore.use((store) => body(store.of(generation), generation)).pipe(
        Effect.provide(options.layer)
      )
    })
  }

  describe(`${options.name} keeps the contract of an artifact store`, () => {
    test("has none of what was never put", (artifacts) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* artifacts.get("model"), Option.none())
      }))

    test("gives back every byte and the fingerprint, to others too", (artifacts, generation) =>
      Effect.gen(function* () {
        const whole = pattern(1000)
        const all: ReadonlyArray<readonly [name: string, bytes: Uint8Array, fingerprint: string]> = [
          ["empty", new Uint8Array(), ""],
          ["part-of-a-buffer", whole.subarray(7, 600), "lsa:0123"],
          ["zeros", new Uint8Array(100), "ünïcode 😀\n"],
          ["2", pattern(256), "x".repeat(1000)],
          ["shared", new Uint8Array(new SharedArrayBuffer(64)).fill(9), "shared"]
        ]
        for (const [name, bytes, fingerprint] of all) yield* artifacts.put(name, { bytes, fingerprint })
        const opened = (yield* ArtifactStore).of(generation)
        for (const [name, bytes, fingerprint] of all) {
          const found = Option.getOrThrow(yield* opened.get(name))
          assert.isTrue(same(found.bytes, bytes), name)
          assert.strictEqual(found.fingerprint, fingerprint)
        }
      }))

    test("replaces an artifact as a whole, by a shorter one too", (artifacts) =>
      Effect.gen(function* () {
        for (const text of ["a first version", "the second, which is longer", "3"]) {
          yield* artifacts.put("model", { bytes: bytesOf(text), fingerprint: text })
          const found = Option.getOrThrow(yield* artifacts.get("model"))
          assert.strictEqual(Buffer.from(found.bytes).toString(), text)
          assert.strictEqual(found.fingerprint, text)
        }
      }))

    test("keeps names, generations and indexes apart", (artifacts, generation) =>
      Effect.gen(function* () {
        yield* artifacts.put("model", { bytes: bytesOf("one"), fingerprint: "1" })
        const store = yield* ArtifactStore
        const others = [
          { ...generation, id: "g-000002" },
          { ...generation, index: freshIndex() }
        ].map(store.of)
        for (const other of others) assert.deepStrictEqual(yield* other.get("model"), Option.none())
        assert.deepStrictEqual(yield* artifacts.get("model-2"), Option.none())
      }))

    test("keeps twenty megabytes, and gives a reader the old or the new ones while they are replaced", (artifacts) =>
      Effect.gen(function* () {
        const [first, second] = [pattern(large), pattern(large).fill(1, 1000, 2000)]
        yield* artifacts.put("model", { bytes: first, fingerprint: "first" })
        const read = Effect.map(artifacts.get("model"), Option.getOrThrow)
        const [, ...seen] = yield* Effect.all(
          [artifacts.put("model", { bytes: second, fingerprint: "second" }), read, read, read],
          { concurrency: "unbounded" }
        )
        for (const { bytes, fingerprint } of [...seen, yield* read])
          assert.isTrue(same(bytes, fingerprint === "first" ? first : second), fingerprint)
        assert.strictEqual((yield* read).fingerprint, "second")
      }))

    test("finds out when its bytes were damaged, and is sound again when they are put anew", (artifacts, generation) =>
      Effect.gen(function* () {
        const bytes = pattern(5000)
        const flipped = (at: number) => (stored: Uint8Array) =>
          stored.map((byte, index) => (index === (at + stored.length) % stored.length ? byte ^ 1 : byte))
        const changes: ReadonlyArray<readonly [what: string, change: (stored: Uint8Array) => Uint8Array]> = [
          ...[0, 9, 45, 100, 2500, -1, -20].map((at) => [`bit ${at} flipped`, flipped(at)] as const),
          ["cut at the end", (stored) => stored.subarray(0, stored.length - 1)],
          ["cut in half", (stored) => stored.subarray(0, stored.length >> 1)],
          ["cut at the start", (stored) => stored.subarray(0, 10)],
          ["emptied", () => new Uint8Array()],
          ["longer", (stored) => Buffer.concat([stored, Buffer.from("x")])],
          ["zeroed", (stored) => new Uint8Array(stored.length)]
        ]
        for (const [what, change] of changes) {
          yield* artifacts.put("model", { bytes, fingerprint: "a fingerprint" })
          yield* options.damage(generation, "model", change)
          const error = yield* Effect.flip(artifacts.get("model"))
          assert.strictEqual(error._tag, "IndexCorrupt", what)
          assert.include(error.message, "model", what)
        }
        yield* artifacts.put("model", { bytes, fingerprint: "b" })
        assert.isTrue(same(Option.getOrThrow(yield* artifacts.get("model")).bytes, bytes))
      }))

    test("refuses a name that is none", (artifacts) =>
      Effect.gen(function* () {
        for (const name of ["", "..", "a/b", "../x", "A", "a b", "é", "a\0"]) {
          const put = Effect.flip(artifacts.put(name, { bytes: bytesOf("x"), fingerprint: "x" }))
          assert.strictEqual((yield* put)._tag, "CatalogError", name)
          assert.strictEqual((yield* Effect.flip(artifacts.get(name)))._tag, "CatalogError", name)
        }
      }))
  })
}
