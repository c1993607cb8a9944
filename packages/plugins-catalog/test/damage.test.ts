import { CatalogProvider, DataFolder, type GenerationRef, type Remedy, remedyOf } from "@omnirag/core/app"
import { countsOf, documentEntry, indexRun, lexicalOf } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  copyFileSync,
  existsSync,
  readFileSync,
  mkdirSync,
  readdirSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { layer, newGeneration, openCatalog, withCatalog } from "./catalogLayer.ts"

const filled = Effect.gen(function* () {
  const made = yield* newGeneration
  const { generation } = made
  yield* withCatalog(generation, (catalog) =>
    Effect.forEach(Array.from({ length: 30 }), (_, index) =>
      catalog.documents.replace(
        documentEntry({
          path: `${index}.md`,
          metadata: { tags: ["a", "b"], number: 1 },
          chunks: Array.from({ length: 10 }, (__, n) => `zebra ${index} ${n} ${"padding ".repeat(50)}`)
        })
      )
    )
  )
  return made
})

const run = indexRun("run", 1, { status: "succeeded", endedAt: 2 })

const refusal = (
  { folder, generation }: { readonly folder: string; readonly generation: GenerationRef },
  remedy: Remedy = "rebuild"
) =>
  Effect.map(Effect.flip(withCatalog(generation, countsOf)), (error) => {
    assert.strictEqual(error._tag, "IndexCorrupt")
    assert.include(error.message, "catalog.sqlite: ")
    assert.strictEqual(remedyOf(error), remedy)
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
      const { file, folder, generation } = yield* filled
      yield* rewrite(file, () => Buffer.from("just a text\n".repeat(100)))
      assert.include(yield* refusal({ folder, generation }), "not a SQLite database")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when it is empty, and not taken for a new catalog", () =>
    Effect.gen(function* () {
      const { file, folder, generation } = yield* filled
      yield* Effect.sync(() => truncateSync(file, 0))
      assert.include(yield* refusal({ folder, generation }), "empty")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when it is cut anywhere", () =>
    Effect.gen(function* () {
      const { file, folder, generation } = yield* filled
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
        yield* refusal({ folder, generation })
      }
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when its header is flipped or zeroed", () =>
    Effect.gen(function* () {
      const { file, folder, generation } = yield* filled
      const whole = readFileSync(file)
      // magic, page size, application id, and the first page as a whole
      for (const [start, end] of [
        [0, 1],
        [16, 18],
        [68, 72],
        [0, 8192]
      ] as const) {
        yield* rewrite(file, () => Buffer.from(whole).fill(0, start, end))
        yield* refusal({ folder, generation })
      }
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused or found damaged by the check when any page is flipped or zeroed", () =>
    Effect.gen(function* () {
      const { file, generation } = yield* filled
      // values longer than a page, of every kind, are where a lost page breaks no structure
      const long = (letter: string) => `${letter} `.repeat(15_000)
      const entry = documentEntry({
        path: "long.md",
        title: long("t"),
        metadata: { long: long("m") },
        chunks: [{ text: long("c"), headings: [long("h")] }]
      })
      const vectors = entry.vectors.map(({ textHash }) => ({
        textHash,
        vector: new Float32Array(5000).fill(0.1)
      }))
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          yield* catalog.documents.replace({ ...entry, vectors, fingerprint: "long" })
          yield* catalog.facts.set("long", long("v"))
          yield* catalog.runs.save({ ...run, warnings: [long("w")] })
        })
      )
      // a free page holds nothing that could be damaged
      yield* sql(file, "VACUUM")
      const whole = readFileSync(file)
      const silent: Array<string> = []
      for (let page = 1; page < whole.length / 8192; page++) {
        for (const damage of [
          (bytes: Buffer) => bytes.fill(0, page * 8192, (page + 1) * 8192),
          (bytes: Buffer) => bytes.fill(0x5a, page * 8192, page * 8192 + 64)
        ]) {
          yield* rewrite(file, () => damage(Buffer.from(whole)))
          const outcome = yield* Effect.exit(withCatalog(generation, (catalog) => catalog.check))
          if (outcome._tag === "Success" && outcome.value.length === 0) silent.push(String(page))
        }
      }
      assert.deepStrictEqual(silent, [])
    }).pipe(Effect.provide(layer))
  )

  it.live("is found by the check when a bit of a text is flipped", () =>
    Effect.gen(function* () {
      const { file, generation } = yield* filled
      const [before] = yield* withCatalog(generation, (catalog) =>
        lexicalOf(catalog).search({ terms: ["zebra"], limit: 1 })
      )
      assert(before !== undefined)
      yield* sql(
        file,
        "UPDATE chunks SET text = replace(text, 'zebra 3 ', 'zebrb 3 ') WHERE key = (SELECT min(key) FROM chunks WHERE text LIKE 'zebra 3 %')"
      )
      const faults = yield* withCatalog(generation, (catalog) => catalog.check)
      assert.lengthOf(faults, 1)
      assert.match(faults[0] ?? "", /^the text of the chunk [0-9a-f]{40} is not what was written$/)
    }).pipe(Effect.provide(layer))
  )

  const changes: ReadonlyArray<readonly [what: string, change: string, fault: RegExp]> = [
    [
      "the text of a document",
      "UPDATE document_parts SET text = replace(text, 'zebra 3 4', 'zebra 3 5') WHERE document = 4",
      /^the text of the document repo\/3\.md is not what was written$/
    ],
    [
      "a missing part of a text",
      "DELETE FROM document_parts WHERE document = 4; INSERT INTO document_parts VALUES (4, 0, '', 0)",
      /^the text of the document repo\/3\.md is not what was written$/
    ],
    [
      "the title of a document",
      "UPDATE documents SET title = 'Guidf' WHERE key = 4",
      /^the record of the document repo\/3\.md is not what was written$/
    ],
    [
      "the metadata of a document",
      "UPDATE documents SET metadata = replace(metadata, '1', '2') WHERE key = 4",
      /^the record of the document repo\/3\.md is not what was written$/
    ],
    [
      "metadata that filters see",
      "UPDATE metadata_values SET value = 'c' WHERE document = 4 AND value = 'b'",
      /^the metadata that filters see of the document repo\/3\.md are not those it has$/
    ],
    [
      "the range of a chunk",
      "UPDATE chunks SET start_offset = start_offset + 1 WHERE key = 5",
      /^the chunk [0-9a-f]{40} is not what was written$/
    ],
    [
      "the heading path of a chunk",
      `UPDATE chunks SET heading_path = '["A"]' WHERE key = 5`,
      /^the chunk [0-9a-f]{40} is not what was written$/
    ],
    [
      "the terms of a chunk",
      "UPDATE chunk_terms SET body = replace(body, 'zebra', 'zebrb') WHERE key = 5",
      /^the terms of the chunk [0-9a-f]{40} are not those of its text$/
    ],
    [
      "a vector",
      "UPDATE vectors SET vector = zeroblob(length(vector)) WHERE key = 7",
      /^the vector of the text [0-9a-f]{40} is not what was written$/
    ],
    ["a value kept with the index", "UPDATE meta SET value = 'b'", /^the value .+ is not what was written$/]
  ]
  for (const [what, change, fault] of changes) {
    it.live(`is found by the check when ${what} is not what was written`, () =>
      Effect.gen(function* () {
        const { file, generation } = yield* filled
        yield* sql(file, change)
        const faults = yield* withCatalog(generation, (catalog) => catalog.check)
        assert.lengthOf(faults, 1)
        assert.match(faults[0] ?? "", fault)
      }).pipe(Effect.provide(layer))
    )
  }

  it.live("is found by the check when a chunk is not the part of the document that it says", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const entry = documentEntry({ chunks: ["alpha", "bravo"] })
      const [first, second] = entry.chunks
      assert(first !== undefined && second !== undefined)
      const faults = yield* withCatalog(generation, (catalog) =>
        Effect.andThen(
          catalog.documents.replace({ ...entry, chunks: [{ ...first, start: 1, end: 6 }, second] }),
          catalog.check
        )
      )
      assert.deepStrictEqual(faults, [
        `the chunk ${first.id} is not the part of its document that it stands for`
      ])
    }).pipe(Effect.provide(layer))
  )

  it.live("is sound with lone surrogates, nulls and numbers of all kinds in it", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const strange = "a\ud800b \0 \udc00 null \u{1f600}"
      const faults = yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const entry = documentEntry({
            title: strange,
            chunks: [{ text: strange, headings: [strange], confidence: 0.1 }],
            metadata: {
              [strange]: strange,
              zero: -0,
              big: 1e300,
              list: [strange, strange, ""],
              yes: true,
              none: []
            }
          })
          yield* catalog.documents.replace(entry)
          yield* catalog.documents.touchFile(entry.document.id, {
            ...entry.file,
            modifiedAt: 1.5,
            path: strange
          })
          yield* catalog.facts.set(strange, strange)
          return yield* catalog.check
        })
      )
      assert.deepStrictEqual(faults, [])
    }).pipe(Effect.provide(layer))
  )

  it.live("is found by the check when the lexical index has lost a chunk", () =>
    Effect.gen(function* () {
      const { file, generation } = yield* filled
      yield* sql(file, "DELETE FROM chunk_terms WHERE key IN (1, 2)")
      assert.deepStrictEqual(yield* withCatalog(generation, (catalog) => catalog.check), [
        "2 chunk(s) without a row in the lexical index"
      ])
      yield* sql(file, "INSERT INTO lexical (lexical, rowid, heading, body) VALUES ('delete', 3, 'a', 'b')")
      assert.include(
        yield* withCatalog(generation, (catalog) => catalog.check),
        "the lexical index does not agree with the terms of the chunks"
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when another program wrote it", () =>
    Effect.gen(function* () {
      const { file, folder, generation } = yield* newGeneration
      yield* Effect.sync(() => mkdirSync(folder, { recursive: true }))
      yield* sql(file, "CREATE TABLE bookmarks (url TEXT)")
      assert.include(yield* refusal({ folder, generation }), "another program")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused when a newer version of this program wrote it", () =>
    Effect.gen(function* () {
      const { file, folder, generation } = yield* filled
      yield* sql(file, "PRAGMA user_version = 99")
      assert.include(yield* refusal({ folder, generation }, "update"), "newer version")
    }).pipe(Effect.provide(layer))
  )

  it.live("is refused by a reader when it is missing, and by a seed too", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const provider = yield* CatalogProvider
      const missing = yield* Effect.flip(Effect.scoped(openCatalog(generation, { readOnly: true })))
      assert.strictEqual(missing.message, "catalog.sqlite: the file is missing")
      const target = { ...generation, id: "g-000002" }
      for (const documents of [true, false])
        assert.strictEqual(
          (yield* Effect.flip(provider.seed(target, { from: generation, documents })))._tag,
          "IndexCorrupt"
        )
      const data = yield* DataFolder
      for (const none of [generation, target]) assert.isFalse(existsSync(data.of(none)))
    }).pipe(Effect.provide(layer))
  )

  it.live("does not hide behind the log of an earlier file", () =>
    Effect.gen(function* () {
      const { file, generation } = yield* filled
      const other = yield* filled
      const provider = yield* CatalogProvider
      // the log of another catalog, left beside the place where a new one is put
      const log = yield* withCatalog(other.generation, (catalog) =>
        Effect.andThen(
          catalog.documents.replace(documentEntry({ path: "other.md", chunks: ["stray"] })),
          Effect.sync(() => readFileSync(`${other.file}-wal`))
        )
      )
      const next = { ...generation, id: "g-000002" }
      const target = (yield* DataFolder).of(next)
      yield* provider.seed(next, { from: generation, documents: true })
      writeFileSync(join(target, "catalog.sqlite-wal"), log)
      copyFileSync(file, join(target, "catalog.sqlite.new"))
      yield* provider.seed(next, { from: generation, documents: true })
      yield* withCatalog(next, (catalog) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* catalog.check, [])
          assert.strictEqual((yield* countsOf(catalog)).documents, 30)
        })
      )
      assert.deepStrictEqual(readdirSync(target), ["catalog.sqlite"])
    }).pipe(Effect.provide(layer))
  )
})
