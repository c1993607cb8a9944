import { CatalogProvider } from "@omnirag/core"
import { documentEntry } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, readFileSync, readdirSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { layer, temporaryFolder, withCatalog } from "./catalogFolder.ts"

const filled = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  yield* withCatalog(folder, (catalog) =>
    Effect.forEach(Array.from({ length: 30 }), (_, index) =>
      catalog.replaceDocument(
        documentEntry({
          path: `${index}.md`,
          chunks: Array.from({ length: 10 }, (__, n) => `zebra ${index} ${n} ${"padding ".repeat(50)}`)
        })
      )
    )
  )
  return { folder, file: join(folder, "catalog.sqlite") }
})

const refusal = (folder: string) =>
  Effect.map(Effect.flip(withCatalog(folder, (catalog) => catalog.counts)), (error) => {
    assert.strictEqual(error._tag, "IndexCorrupt")
    assert.include(error.message, "catalog.sqlite: ")
    assert.include(error.message, "omnirag index --rebuild")
    assert.notInclude(error.message, folder, "no path of the machine")
    return error.message
  })

const rewrite = (file: string, change: (bytes: Buffer) => Buffer) =>
  Effect.sync(() => writeFileSync(file, change(readFileSync(file))))

const sql = (file: string, statement: string) =>
  Effect.sync(() => {
    const db = new DatabaseSync(file)
    db.exec(statement)
    db.close()
  })

describe("a file that cannot be trusted", () => {
  it.live("is refused when it is no database", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      yield* rewrite(file, () => Buffer.from("just a text\n".repeat(100)))
      assert.include(yield* refusal(folder), "not a SQLite database")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when it is empty, and not taken for a new catalog", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      yield* Effect.sync(() => truncateSync(file, 0))
      assert.include(yield* refusal(folder), "empty")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when it is cut anywhere", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      const whole = readFileSync(file)
      for (const length of [
        1,
        50,
        99,
        100,
        4096,
        8192,
        8193,
        whole.length >> 1,
        whole.length - 8192,
        whole.length - 1
      ]) {
        yield* rewrite(file, () => whole.subarray(0, length))
        yield* refusal(folder)
      }
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when its header is flipped or zeroed", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      const whole = readFileSync(file)
      // magic, page size, application id, and the first page as a whole
      for (const [start, end] of [
        [0, 1],
        [16, 18],
        [68, 72],
        [0, 8192]
      ] as const) {
        yield* rewrite(file, () => Buffer.from(whole).fill(0, start, end))
        yield* refusal(folder)
      }
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused or found damaged by the check when any page is flipped or zeroed", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      const whole = readFileSync(file)
      const silent: Array<string> = []
      // the header names the first free page, which holds nothing that could be damaged
      const free = whole.readUInt32BE(32) - 1
      for (let page = 1; page < whole.length / 8192; page++) {
        if (page === free) continue
        for (const damage of [
          (bytes: Buffer) => bytes.fill(0, page * 8192, (page + 1) * 8192),
          (bytes: Buffer) => bytes.fill(0x5a, page * 8192, page * 8192 + 64)
        ]) {
          yield* rewrite(file, () => damage(Buffer.from(whole)))
          const outcome = yield* Effect.exit(withCatalog(folder, (catalog) => catalog.check))
          if (outcome._tag === "Success" && outcome.value.length === 0) silent.push(String(page))
        }
      }
      assert.deepStrictEqual(silent, [])
    }).pipe(Effect.provide(layer))
  )

  it.live("is found by the check when a bit of a text is flipped", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      const [before] = yield* withCatalog(folder, (catalog) =>
        catalog.lexical({ terms: ["zebra"], limit: 1 })
      )
      assert(before !== undefined)
      yield* sql(
        file,
        "UPDATE chunks SET text = replace(text, 'zebra 3 ', 'zebrb 3 ') WHERE key = (SELECT min(key) FROM chunks WHERE text LIKE 'zebra 3 %')"
      )
      const faults = yield* withCatalog(folder, (catalog) => catalog.check)
      assert.lengthOf(faults, 1)
      assert.match(faults[0] ?? "", /^the text of the chunk [0-9a-f]{40} is not what was written$/)
    }).pipe(Effect.provide(layer))
  )

  it.live("is found by the check when the lexical index has lost a chunk", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      yield* sql(file, "DELETE FROM chunk_terms WHERE key IN (1, 2)")
      assert.deepStrictEqual(yield* withCatalog(folder, (catalog) => catalog.check), [
        "2 chunk(s) without a row in the lexical index"
      ])
      yield* sql(file, "INSERT INTO lexical (lexical, rowid, heading, body) VALUES ('delete', 3, 'a', 'b')")
      assert.include(
        yield* withCatalog(folder, (catalog) => catalog.check),
        "the lexical index does not agree with the terms of the chunks"
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when another program wrote it", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* sql(join(folder, "catalog.sqlite"), "CREATE TABLE bookmarks (url TEXT)")
      assert.include(yield* refusal(folder), "another program")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when a newer version of this program wrote it", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      yield* sql(file, "PRAGMA user_version = 99")
      const message = yield* refusal(folder)
      assert.include(message, "newer version")
      assert.include(message, "Update the program")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused by a reader when it is missing, and by a seed too", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const provider = yield* CatalogProvider
      const missing = yield* Effect.flip(Effect.scoped(provider.open(folder, { readOnly: true })))
      assert.strictEqual(
        missing.message,
        "catalog.sqlite: the file is missing. Run `omnirag index --rebuild` to build it anew"
      )
      const target = join(folder, "next")
      for (const documents of [true, false])
        assert.strictEqual(
          (yield* Effect.flip(provider.seed(target, { from: folder, documents })))._tag,
          "IndexCorrupt"
        )
      assert.deepStrictEqual(readdirSync(folder), [])
    }).pipe(Effect.provide(layer))
  )

  it.live("does not hide behind the log of an earlier file", () =>
    Effect.gen(function* () {
      const { file, folder } = yield* filled
      const other = yield* filled
      const provider = yield* CatalogProvider
      // the log of another catalog, left beside the place where a new one is put
      const log = yield* withCatalog(other.folder, (catalog) =>
        Effect.andThen(
          catalog.replaceDocument(documentEntry({ path: "other.md", chunks: ["stray"] })),
          Effect.sync(() => readFileSync(`${other.file}-wal`))
        )
      )
      const target = join(folder, "next")
      yield* provider.seed(target, { from: folder, documents: true })
      writeFileSync(join(target, "catalog.sqlite-wal"), log)
      copyFileSync(file, join(target, "catalog.sqlite.new"))
      yield* provider.seed(target, { from: folder, documents: true })
      yield* withCatalog(target, (catalog) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* catalog.check, [])
          assert.strictEqual((yield* catalog.counts).documents, 30)
        })
      )
      assert.deepStrictEqual(readdirSync(target), ["catalog.sqlite"])
    }).pipe(Effect.provide(layer))
  )
})
