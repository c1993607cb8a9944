import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope, Stream } from "effect"
import type { SourceError } from "../domain/errors.ts"
import type { Source, SourceEntry, SourceFile, SourceProvider } from "../ports/SourceProvider.ts"

/** A source under test, and a hand on the place it reads from. */
export interface SourceFixture {
  /** A provider of one source. */
  readonly provider: SourceProvider["Service"]
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void>
  readonly remove: (path: string) => Effect.Effect<void>
}

export interface SourceConformanceOptions {
  readonly name: string
  /** A fresh, empty place each time. The source must take files that end in `.md`. */
  readonly make: Effect.Effect<SourceFixture, SourceError, Scope.Scope>
  /** Whether files that are gone or changed since the walk show when they are read; a snapshot cannot know. */
  readonly live: boolean
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const only = (sources: ReadonlyArray<Source>): Source => {
  const [source] = sources
  assert(source !== undefined && sources.length === 1, "the fixture has one source")
  return source
}

const filesOf = (entries: ReadonlyArray<SourceEntry>): ReadonlyArray<SourceFile> =>
  entries.filter((entry) => entry._tag === "File")

/** What every source promises, for plugin authors: call it in a test file. */
export const sourceConformance = (options: SourceConformanceOptions): void => {
  const walk = Effect.fnUntraced(function* (fixture: SourceFixture) {
    const { sources } = yield* fixture.provider.open
    return yield* Stream.runCollect(only(sources).entries)
  })
  const fill = (fixture: SourceFixture, paths: ReadonlyArray<string>) =>
    Effect.forEach(paths, (path) => fixture.write(path, bytesOf(`# ${path}\n`)), { discard: true })

  describe(`${options.name} keeps the contract of a source`, () => {
    it.effect("lists each file once, sorted by its path, with size and time", () =>
      Effect.gen(function* () {
        const fixture = yield* options.make
        const paths = ["b.md", "a.md", "a/z.md", "a/b/c.md", "a-b/d.md", "a0/é.md", "Ä ö.md"]
        yield* fill(fixture, paths)
        const files = filesOf(yield* walk(fixture))
        assert.deepStrictEqual(
          files.map((file) => file.path),
          paths.toSorted()
        )
        for (const file of files) {
          assert.strictEqual(file.size, bytesOf(`# ${file.path}\n`).length)
          assert.isTrue(Number.isSafeInteger(file.modifiedAt) && file.modifiedAt > 0)
        }
      })
    )

    it.effect("reads the bytes as they are, twice the same", () =>
      Effect.gen(function* () {
        const fixture = yield* options.make
        const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
        yield* fixture.write("bytes.md", bytes)
        const [file] = filesOf(yield* walk(fixture))
        assert(file !== undefined)
        assert.deepStrictEqual(Uint8Array.from(yield* file.read), bytes)
        assert.deepStrictEqual(Uint8Array.from(yield* file.read), bytes)
      })
    )

    it.effect("gives the same list on every walk, and has a name and a location", () =>
      Effect.gen(function* () {
        const fixture = yield* options.make
        yield* fill(fixture, ["a.md", "b/c.md", "d/e/f.md"])
        const source = only((yield* fixture.provider.open).sources)
        const list = Effect.map(Stream.runCollect(source.entries), (entries) =>
          filesOf(entries).map(({ modifiedAt, path, size }) => ({ modifiedAt, path, size }))
        )
        assert.deepStrictEqual(yield* list, yield* list)
        assert.match(source.name, /^[^/]+$/)
        assert.notStrictEqual(source.location, "")
      })
    )

    it.effect("can be left in mid-walk", () =>
      Effect.gen(function* () {
        const fixture = yield* options.make
        yield* fill(fixture, ["a.md", "b/c.md", "d.md"])
        const source = only((yield* fixture.provider.open).sources)
        const first = yield* Stream.runCollect(Stream.take(source.entries, 1))
        assert.deepStrictEqual(
          first.map((entry) => entry.path),
          ["a.md"]
        )
      })
    )

    it.effect("opens afresh: what was added is there, what was removed is not", () =>
      Effect.gen(function* () {
        const fixture = yield* options.make
        yield* fill(fixture, ["a.md", "b.md"])
        yield* walk(fixture)
        yield* fixture.remove("a.md")
        yield* fill(fixture, ["c/d.md"])
        assert.deepStrictEqual(
          filesOf(yield* walk(fixture)).map((file) => file.path),
          ["b.md", "c/d.md"]
        )
      })
    )

    it.effect.skipIf(!options.live)("refuses to read a file that is gone (live sources)", () =>
      Effect.gen(function* () {
        const fixture = yield* options.make
        yield* fill(fixture, ["a.md", "b.md"])
        const [file] = filesOf(yield* walk(fixture))
        assert(file !== undefined)
        yield* fixture.remove(file.path)
        const refused = yield* Effect.flip(file.read)
        assert.strictEqual(refused._tag, "DocumentRefused")
        assert.strictEqual(refused.path, file.path)
        assert.notStrictEqual(refused.reason, "")
      })
    )
  })
}
