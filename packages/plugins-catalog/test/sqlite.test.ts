import { CatalogProvider, emptyCounts } from "@omnirag/core/app"
import { documentEntry } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqliteCatalog } from "../src/index.ts"
import { matchExpression, mostTerms, usefulTerms } from "../src/sqlite/lexical.ts"
import { encodeTerm } from "../src/sqlite/termEncoding.ts"
import { layer, temporaryFolder, withCatalog } from "./catalogFolder.ts"

const databaseIn = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  yield* withCatalog(folder, () => Effect.void)
  return new DatabaseSync(join(folder, "catalog.sqlite"))
})

describe("a file of an older schema", () => {
  it.live("is read as it is, and brought up to date when it is opened for writing", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [first, second] = ["a.md", "b.md"].map((path) => documentEntry({ path, chunks: ["shared"] }))
      assert(first !== undefined && second !== undefined)
      yield* withCatalog(folder, (catalog) => Effect.forEach([first, second], catalog.replaceDocument))
      const inFile = <A>(use: (db: DatabaseSync) => A): A => {
        const db = new DatabaseSync(join(folder, "catalog.sqlite"))
        try {
          return use(db)
        } finally {
          db.close()
        }
      }
      inFile((db) => db.exec("DROP INDEX chunks_by_text; PRAGMA user_version = 1"))
      const version = () => inFile((db) => db.prepare("PRAGMA user_version").get()?.["user_version"])
      const [id = ""] = first.chunks.map((chunk) => chunk.id)
      const provider = yield* CatalogProvider
      const copies = yield* Effect.scoped(
        Effect.flatMap(provider.open(folder, { readOnly: true }), (catalog) =>
          catalog.copiesOf([id], { limit: 1 })
        )
      )
      assert.strictEqual(copies.get(id)?.total, 1)
      assert.strictEqual(version(), 1)
      yield* withCatalog(folder, (catalog) =>
        Effect.map(catalog.check, (faults) => assert.deepStrictEqual(faults, []))
      )
      assert.strictEqual(version(), 2)
      assert.lengthOf(
        inFile((db) => db.prepare("SELECT name FROM sqlite_schema WHERE name = 'chunks_by_text'").all()),
        1
      )
    }).pipe(Effect.provide(layer))
  )
})

describe("terms in the lexical index", () => {
  it.live("are one token each, whatever their characters", () =>
    Effect.gen(function* () {
      const db = yield* databaseIn
      const insert = db.prepare("INSERT INTO chunk_terms (key, heading, body) VALUES (?, '', ?)")
      const find = db.prepare("SELECT rowid AS key FROM lexical WHERE lexical MATCH ?")
      db.exec("PRAGMA foreign_keys = OFF; BEGIN")
      const term = fc.oneof(
        fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 5 }),
        fc.constantFrom(
          "snake_case",
          "a.b.c",
          "c++",
          "c#",
          "--flag",
          "it's",
          '"',
          "日本語",
          "NEAR",
          "İ",
          "x".repeat(40_000)
        )
      )
      fc.assert(
        fc.property(term, (given) => {
          db.exec("DELETE FROM chunk_terms")
          insert.run(1, `before ${encodeTerm(given)} after`)
          insert.run(2, "another one")
          const tokens = db.prepare("SELECT term FROM lexical_terms ORDER BY term").all()
          const expected = ["before", encodeTerm(given), "after", "another", "one"]
          assert.deepStrictEqual(new Set(tokens.map((row) => row["term"])), new Set(expected))
          assert.isTrue(find.all(matchExpression([encodeTerm(given)])).some((row) => row["key"] === 1))
        }),
        { numRuns: 300 }
      )
      db.close()
    }).pipe(Effect.provide(layer))
  )

  it("are bounded in number: of a long text, the rarest that occur", () => {
    const few = ["a", "b", "a"]
    assert.strictEqual(matchExpression(usefulTerms(few, 10, () => 9)), '"a" OR "b" OR "a"')
    const many = Array.from({ length: mostTerms + 1 }, (_, index) => `t${index}`)
    const frequency = (term: string) => Math.max(0, 300 - Number(term.slice(1)))
    assert.deepStrictEqual(
      usefulTerms([...many, ...many], 1000, frequency),
      Array.from({ length: 128 }, (_, index) => `t${299 - index}`)
    )
  })

  it("are those that tell something, in a large index and when there are any", () => {
    const frequencies: Readonly<Record<string, number>> = { the: 501, of: 999, zebra: 500, lion: 1, none: 0 }
    const useful = (terms: ReadonlyArray<string>, chunks: number) =>
      usefulTerms(terms, chunks, (term) => frequencies[term] ?? 0)
    assert.deepStrictEqual(useful(["the", "zebra", "of", "zebra", "lion"], 1000), ["zebra", "zebra", "lion"])
    assert.deepStrictEqual(useful(["the", "of", "the"], 1000), ["the", "of", "the"])
    assert.deepStrictEqual(useful(["the", "none"], 1000), ["the", "none"])
    assert.deepStrictEqual(useful(["the", "lion"], 999), ["the", "lion"])
  })
})

describe("the SQLite catalog", () => {
  it.live("keeps one file in its folder, and its log only while it is open", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "deep", "er")
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          yield* catalog.replaceDocument(documentEntry({ chunks: ["alpha"] }))
          assert.isTrue(existsSync(join(folder, "catalog.sqlite-wal")))
        })
      )
      assert.deepStrictEqual(readdirSync(folder), ["catalog.sqlite"])
    }).pipe(Effect.provide(layer))
  )

  it.live("keeps the newest 200 runs", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          for (let index = 0; index < 205; index++)
            yield* catalog.saveRun({
              id: `run ${index}`,
              status: "succeeded",
              startedAt: index,
              endedAt: index,
              sources: [],
              counts: emptyCounts,
              failures: [],
              skipped: [],
              warnings: []
            })
          const runs = yield* catalog.runs(1000)
          assert.deepStrictEqual([runs.length, runs[0]?.id, runs.at(-1)?.id], [200, "run 204", "run 5"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("keeps the vectors of the last three embedders", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          const entry = documentEntry({ chunks: ["alpha"] })
          const [vector] = entry.vectors
          assert(vector !== undefined)
          for (const fingerprint of ["one", "two", "three", "four", "two"])
            yield* catalog.replaceDocument({ ...entry, fingerprint })
          assert.strictEqual(yield* catalog.prune, 1)
          const kept: Array<string> = []
          for (const fingerprint of ["one", "two", "three", "four"])
            if ((yield* catalog.cachedVectors(fingerprint, "document", [vector.textHash])).size > 0)
              kept.push(fingerprint)
          assert.deepStrictEqual(kept, ["two", "three", "four"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("counts terms anew when it or another connection has written", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const provider = yield* CatalogProvider
      const own = yield* provider.open(folder)
      const other = yield* provider.open(folder)
      const reader = yield* provider.open(folder, { readOnly: true })
      const count = Effect.forEach([own, other, reader], (catalog) =>
        Effect.map(catalog.documentFrequencies(["zebra"]), ({ chunks, frequencies }) => [
          chunks,
          frequencies.get("zebra")
        ])
      )
      assert.deepStrictEqual(yield* count, [
        [0, 0],
        [0, 0],
        [0, 0]
      ])
      for (const [index, catalog] of [own, other, own].entries()) {
        yield* catalog.replaceDocument(documentEntry({ path: `${index}.md`, chunks: ["zebra"] }))
        const now = [index + 1, index + 1]
        assert.deepStrictEqual(yield* count, [now, now, now])
      }
      yield* other.deleteDocuments(["repo/0.md", "repo/1.md"])
      assert.deepStrictEqual(yield* count, [
        [1, 1],
        [1, 1],
        [1, 1]
      ])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("orders equal scores by id, however many there are", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          const chunks = Array.from({ length: 300 }, (_, n) => `zebra number${n}`)
          yield* catalog.replaceDocument(documentEntry({ chunks }))
          yield* catalog.replaceDocument(
            documentEntry({ path: "best.md", chunks: ["zebra zebra zebra", "zebra zebra zebra"] })
          )
          const ids = yield* catalog.chunkIds
          const best = (yield* catalog.chunksOf("repo/best.md")).map(({ id }) => id).toSorted()
          const expected = [...best, ...ids.filter((id) => !best.includes(id))]
          // few and many rows beyond the limit share the score of the last one; then none
          for (const limit of [1, 2, 10, 201, 202, 203, 250, 302, 400]) {
            const hits = yield* catalog.lexical({ terms: ["zebra"], limit })
            assert.deepStrictEqual(
              hits.map(({ id }) => id),
              expected.slice(0, limit)
            )
          }
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("weights headings as configured", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const entry = documentEntry({
        chunks: [
          { text: "zebra zebra padding", headings: ["Other"] },
          { text: "padding padding padding", headings: ["Zebra"] },
          ...Array.from({ length: 10 }, (_, n) => `filler${n}`)
        ]
      })
      yield* withCatalog(folder, (catalog) => catalog.replaceDocument(entry))
      for (const [headingWeight, first] of [
        [0, 0],
        [10, 1]
      ] as const) {
        const hits = yield* withCatalog(folder, (catalog) =>
          catalog.lexical({ terms: ["zebra"], limit: 2 })
        ).pipe(Effect.provide(sqliteCatalog.build({ headingWeight })))
        assert.strictEqual(hits[0]?.id, entry.chunks[first]?.id)
      }
      const faults = yield* sqliteCatalog.check({ headingWeight: -1, other: 1 })
      assert.sameMembers(
        faults.map((fault) => fault.path),
        ["headingWeight", "other"]
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("does not write unchanged chunks again", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const size = () => statSync(join(folder, "catalog.sqlite-wal")).size
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          const chunks = Array.from({ length: 500 }, (_, n) => `chunk ${n} ${"some longer text ".repeat(30)}`)
          const entry = documentEntry({ chunks })
          yield* catalog.replaceDocument(entry)
          const before = size()
          yield* catalog.replaceDocument(entry)
          assert.isBelow(size() - before, before / 20)
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("replaces what an interrupted seed has left, and an older generation that is there", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const provider = yield* CatalogProvider
      yield* withCatalog(folder, (catalog) => catalog.replaceDocument(documentEntry({ chunks: ["alpha"] })))
      const target = join(folder, "next")
      yield* withCatalog(target, (catalog) =>
        catalog.replaceDocument(documentEntry({ chunks: ["old", "older"] }))
      )
      writeFileSync(join(target, "catalog.sqlite.new"), "half a file")
      const fiber = yield* Effect.forkChild(provider.seed(target, { from: folder, documents: true }))
      yield* Fiber.interrupt(fiber)
      yield* provider.seed(target, { from: folder, documents: true })
      yield* withCatalog(target, (catalog) =>
        Effect.map(catalog.counts, (counts) => assert.strictEqual(counts.chunks, 1))
      )
      assert.deepStrictEqual(readdirSync(target), ["catalog.sqlite"])
    }).pipe(Effect.provide(layer))
  )

  it.live.skipIf(process.getuid?.() === 0)(
    "names no path when its folder cannot be written (not as root)",
    () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(withCatalog("/proc/omnirag", (catalog) => catalog.counts))
        assert.strictEqual(error._tag, "CatalogError")
        assert.notInclude(error.message, "/proc")
      }).pipe(Effect.provide(layer))
  )

  it.live("tells that the place of its folder is taken by a file, without a path", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "taken"), "")
      const error = yield* Effect.flip(withCatalog(join(folder, "taken"), (catalog) => catalog.counts))
      assert.strictEqual(error._tag, "CatalogError")
      assert.notInclude(error.message, folder)
    }).pipe(Effect.provide(layer))
  )
})
