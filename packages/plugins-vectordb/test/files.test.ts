import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { IndexCorrupt } from "@omnirag/core/app"
import { allIds, batchOf, unit } from "@omnirag/core/testing"
import { bindings } from "./bindings.ts"
import { collection, session } from "./store.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const root = temporaryFolder()
let number = 0
const freshFolder = () => join(root, String(++number))
const filesOf = (folder: string) => join(folder, "vectors", collection)

const row = (id: string, angle: number) => ({
  id,
  vector: unit(1, angle, 0, 0),
  fields: { path: `${id}.md` }
})

/** A collection with a base of three rows and a journal that adds one and removes one. */
const made = Effect.fnUntraced(function* (folder: string) {
  yield* session(folder, (store) =>
    Effect.gen(function* () {
      yield* store.upsert(batchOf([row("a", 0), row("b", 1), row("c", 2)]))
      yield* store.flush
      yield* store.upsert(batchOf([row("d", 3)]))
      yield* store.delete(["b"])
      yield* store.flush
    })
  )
  return filesOf(folder)
})

const openFails = (folder: string) => Effect.flip(session(folder, (store) => store.count()))

const names = {
  manifest: "manifest.json",
  vectors: "vectors-1.faiss",
  fields: "fields-1.jsonl",
  journal: "journal-1.log"
} as const
const files = Object.values(names)

const change = (path: string, edit: (bytes: Buffer) => Buffer) =>
  writeFileSync(path, edit(readFileSync(path)))

describe("damaged files are reported, never read as fewer rows", () => {
  it.live("the untouched files hold what was written", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      assert.deepStrictEqual(readdirSync(yield* made(folder)).toSorted(), files.toSorted())
      assert.deepStrictEqual(yield* session(folder, allIds), ["a", "c", "d"])
    })
  )

  const damages: Readonly<Record<string, (path: string) => void>> = {
    "cut in half": (path) => truncateSync(path, readFileSync(path).length >> 1),
    "short of a byte": (path) => truncateSync(path, readFileSync(path).length - 1),
    emptied: (path) => truncateSync(path, 0),
    zeroed: (path) => change(path, (bytes) => bytes.fill(0)),
    "a foreign file": (path) => writeFileSync(path, "%PDF-1.7 not what you think"),
    "a folder": (path) => {
      rmSync(path)
      mkdirSync(path)
    },
    removed: (path) => rmSync(path)
  }
  for (const file of files)
    for (const [damage, inflict] of Object.entries(damages))
      it.live(`${file} ${damage}`, () =>
        Effect.gen(function* () {
          const folder = freshFolder()
          const path = join(yield* made(folder), file)
          // a manifest that is only one byte shorter has lost its line end and nothing else
          if (file === names.manifest && damage === "short of a byte") truncateSync(path, 500)
          else inflict(path)
          const error = yield* openFails(folder)
          assert.instanceOf(error, IndexCorrupt)
          if (!(error instanceof IndexCorrupt)) return
          assert.strictEqual(error.file, file)
          assert.strictEqual(error.remedy, "rebuild")
          assert.notInclude(error.message, root)
        })
      )

  for (const file of files)
    it.live(`every single flipped bit of ${file}`, () =>
      Effect.gen(function* () {
        const folder = freshFolder()
        const path = join(yield* made(folder), file)
        const good = readFileSync(path)
        const step = Math.max(1, Math.floor(good.length / 60))
        for (let at = 0; at < good.length; at += step) {
          const bad = Buffer.from(good)
          bad[at] = (bad[at] ?? 0) ^ (1 << (at % 8))
          // white space between the values of the manifest means nothing
          if (file === names.manifest && /^\s$/.test(String.fromCharCode(good[at] ?? 0))) continue
          writeFileSync(path, bad)
          const error = yield* openFails(folder)
          assert.strictEqual(error._tag, "IndexCorrupt", `byte ${at} of ${good.length}`)
        }
        writeFileSync(path, good)
        assert.deepStrictEqual(yield* session(folder, allIds), ["a", "c", "d"])
      })
    )

  it.live("files swapped with those of another collection of the same size", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const own = yield* made(folder)
      const other = freshFolder()
      yield* session(other, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(batchOf([row("x", 5), row("y", 6), row("z", 7)]))
          yield* store.flush
        })
      )
      for (const file of [names.vectors, names.fields, names.manifest]) {
        const backup = readFileSync(join(own, file))
        cpSync(join(filesOf(other), file), join(own, file))
        const result = yield* Effect.exit(session(folder, allIds))
        // the manifest of the other collection names files whose sums differ
        assert.strictEqual(result._tag, "Failure", file)
        writeFileSync(join(own, file), backup)
      }
    })
  )

  it.live("an L2 index is named as such", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const path = join(yield* made(folder), names.vectors)
      change(path, (bytes) => {
        bytes.write("IxF2", 0, "latin1")
        bytes.writeInt32LE(1, 33)
        return bytes
      })
      assert.include((yield* openFails(folder)).message, "another metric")
    })
  )

  it.live("another number of dimensions names both", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      yield* made(folder)
      const error = yield* Effect.flip(session(folder, (store) => store.count(), { dimensions: 5 }))
      assert.strictEqual(error._tag === "VectorStoreError" && error.reason, "dimensions")
      assert.match(error.message, /4 dimensions.*5/)
    })
  )
})

describe("saves", () => {
  it.live("what follows the acknowledged end of the journal is cut off", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const path = join(yield* made(folder), names.journal)
      const whole = readFileSync(path)
      writeFileSync(path, Buffer.concat([whole, whole.subarray(0, 20)]))
      yield* session(folder, (store) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* allIds(store), ["a", "c", "d"])
          yield* store.upsert(batchOf([row("e", 4)]))
          yield* store.flush
        })
      )
      assert.deepStrictEqual(yield* session(folder, allIds), ["a", "c", "d", "e"])
    })
  )

  it.live("without a flush nothing on disk changes, and nothing to save writes nothing", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const path = yield* made(folder)
      const before = files.map((file) => readFileSync(join(path, file)).toString("base64"))
      yield* session(folder, (store) => Effect.andThen(store.flush, store.delete(["a"])))
      assert.deepStrictEqual(
        files.map((file) => readFileSync(join(path, file)).toString("base64")),
        before
      )
    })
  )

  it.live("many changes rewrite the base and remove the old files", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const path = yield* made(folder)
      const many = Array.from({ length: 3000 }, (_, i) => row(`row${i}`, i))
      yield* session(folder, (store) => Effect.andThen(store.upsert(batchOf(many)), store.flush))
      assert.deepStrictEqual(readdirSync(path).toSorted(), [
        "fields-2.jsonl",
        "manifest.json",
        "vectors-2.faiss"
      ])
      assert.strictEqual(yield* session(folder, (store) => store.count()), 3003)
    })
  )

  it.live("a save that fails keeps the old files and the rows in memory, and can be tried again", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const path = yield* made(folder)
      // the name the next base would take is blocked
      mkdirSync(join(path, "vectors-2.faiss", "in the way"), { recursive: true })
      yield* session(folder, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(batchOf(Array.from({ length: 3000 }, (_, i) => row(`row${i}`, i))))
          const error = yield* Effect.flip(store.flush)
          assert.strictEqual(error.reason, "unavailable")
          assert.notInclude(error.message, root)
          assert.strictEqual(yield* store.count(), 3003)
          // what another process would find
          cpSync(path, filesOf(join(folder, "copy")), { recursive: true })
          assert.deepStrictEqual(yield* session(join(folder, "copy"), allIds), ["a", "c", "d"])
          rmSync(join(path, "vectors-2.faiss"), { recursive: true })
          yield* store.flush
        })
      )
      assert.strictEqual(yield* session(folder, (store) => store.count()), 3003)
    })
  )
})

describe("the files do not depend on the binding", () => {
  const here = bindings.filter((one) => one.skip === undefined).map((one) => one.binding)
  for (const writer of here)
    for (const reader of here)
      it.live(`written by ${writer}, read by ${reader}`, () =>
        Effect.gen(function* () {
          const folder = freshFolder()
          const rows = [row("a", 0), row("b", 0.5), row("c", 1), row("d", 2)]
          yield* session(
            folder,
            (store) =>
              Effect.gen(function* () {
                yield* store.upsert(batchOf(rows))
                yield* store.flush
                yield* store.delete(["c"])
                yield* store.flush
              }),
            { binding: writer }
          )
          const hits = yield* session(folder, (store) => store.query({ vector: unit(1, 0, 0, 0), topK: 2 }), {
            binding: reader
          })
          assert.deepStrictEqual(
            hits.map((hit) => hit.id),
            ["a", "b"]
          )
        })
      )
})
