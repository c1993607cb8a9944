import * as NodeServices from "@effect/platform-node/NodeServices"
import { CatalogProvider, DataFolder } from "@omnirag/core/app"
import { allChunkIds, countsOf, documentEntry, indexRun, lexicalOf } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import * as fc from "fast-check"
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import { sqliteCatalog } from "../src/index.ts"
import { matchExpression, mostTerms, usefulTerms } from "../src/sqlite/lexicalIndex.ts"
import { encodeTerm } from "../src/sqlite/termEncoding.ts"
import { layer, layerIn, newGeneration, openCatalog, withCatalog } from "./catalogLayer.ts"
import { versionedEntry } from "./fixtures/versionedEntry.ts"

const databaseIn = Effect.gen(function* () {
  const { file, generation } = yield* newGeneration
  yield* withCatalog(generation, () => Effect.void)
  return new DatabaseSync(file)
})

describe("a file of the revision before", () => {
  it.live("opens with everything in it, and is written to as before", () =>
    Effect.gen(function* () {
      const { file, folder, generation } = yield* newGeneration
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        file,
        gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/catalog-schema-2.sqlite.gz")))
      )
      const [a, b] = [versionedEntry("a.md", 0), versionedEntry("b.md", 1)]
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* catalog.check, [])
          assert.deepStrictEqual(yield* countsOf(catalog), {
            documents: 2,
            chunks: 15,
            vectors: 13,
            outbox: 12
          })
          for (const { chunks, document } of [a, b]) {
            assert.deepStrictEqual(yield* catalog.chunks.ofDocument(document.id), chunks)
            assert.deepStrictEqual(yield* catalog.documents.text(document.id), Option.some(document.text))
          }
          yield* lexicalOf(catalog).refresh
          assert.lengthOf(yield* lexicalOf(catalog).search({ terms: ["version1"], limit: 10 }), 5)
          assert.strictEqual((yield* catalog.runs.latest(1))[0]?.id, "run")
          assert.deepStrictEqual(yield* catalog.facts.get("id"), Option.some("0123abcd/g-000001"))
          assert.deepStrictEqual(yield* catalog.documents.replace(a), { added: 0, unchanged: 5, removed: 0 })
          yield* catalog.documents.replace(versionedEntry("a.md", 1))
          assert.deepStrictEqual(yield* catalog.check, [])
        })
      )
    }).pipe(Effect.provide(layer))
  )
})

describe("a file of an older schema", () => {
  it.live("is read as it is, and brought up to date when it is opened for writing", () =>
    Effect.gen(function* () {
      const { file, generation } = yield* newGeneration
      const [first, second] = ["a.md", "b.md"].map((path) => documentEntry({ path, chunks: ["shared"] }))
      assert(first !== undefined && second !== undefined)
      yield* withCatalog(generation, (catalog) => Effect.forEach([first, second], catalog.documents.replace))
      const inFile = <A>(use: (db: DatabaseSync) => A): A => {
        const db = new DatabaseSync(file)
        try {
          return use(db)
        } finally {
          db.close()
        }
      }
      inFile((db) => db.exec("DROP INDEX chunks_by_text; PRAGMA user_version = 1"))
      const version = () => inFile((db) => db.prepare("PRAGMA user_version").get()?.["user_version"])
      const [id = ""] = first.chunks.map((chunk) => chunk.id)
      const copies = yield* Effect.scoped(
        Effect.flatMap(openCatalog(generation, { readOnly: true }), (catalog) =>
          catalog.chunks.copiesOf([id], { limit: 1 })
        )
      )
      assert.strictEqual(copies.get(id)?.total, 1)
      assert.strictEqual(version(), 1)
      yield* withCatalog(generation, (catalog) =>
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
      const { folder, generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          yield* catalog.documents.replace(documentEntry({ chunks: ["alpha"] }))
          assert.isTrue(existsSync(join(folder, "catalog.sqlite-wal")))
        })
      )
      assert.deepStrictEqual(readdirSync(folder), ["catalog.sqlite"])
    }).pipe(Effect.provide(layer))
  )

  it.live("keeps the newest 200 runs", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          for (let index = 0; index < 205; index++) yield* catalog.runs.save(indexRun(`run ${index}`, index))
          const runs = yield* catalog.runs.latest(1000)
          assert.deepStrictEqual([runs.length, runs[0]?.id, runs.at(-1)?.id], [200, "run 204", "run 5"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("keeps the vectors of the last three embedders", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const entry = documentEntry({ chunks: ["alpha"] })
          const [vector] = entry.vectors
          assert(vector !== undefined)
          for (const fingerprint of ["one", "two", "three", "four", "two"])
            yield* catalog.documents.replace({ ...entry, fingerprint })
          assert.strictEqual(yield* catalog.cache.prune, 1)
          const kept: Array<string> = []
          for (const fingerprint of ["one", "two", "three", "four"])
            if ((yield* catalog.cache.get(fingerprint, "document", [vector.textHash])).size > 0)
              kept.push(fingerprint)
          assert.deepStrictEqual(kept, ["two", "three", "four"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("counts terms anew when it or another connection has written", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const own = yield* openCatalog(generation)
      const other = yield* openCatalog(generation)
      const reader = yield* openCatalog(generation, { readOnly: true })
      const count = Effect.forEach([own, other, reader], (catalog) =>
        Effect.map(lexicalOf(catalog).statistics(["zebra"]), ({ chunks, frequencies }) => [
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
        yield* catalog.documents.replace(documentEntry({ path: `${index}.md`, chunks: ["zebra"] }))
        const now = [index + 1, index + 1]
        assert.deepStrictEqual(yield* count, [now, now, now])
      }
      yield* other.documents.remove(["repo/0.md", "repo/1.md"])
      assert.deepStrictEqual(yield* count, [
        [1, 1],
        [1, 1],
        [1, 1]
      ])
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("orders equal scores by id, however many there are", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const chunks = Array.from({ length: 300 }, (_, n) => `zebra number${n}`)
          yield* catalog.documents.replace(documentEntry({ chunks }))
          yield* catalog.documents.replace(
            documentEntry({ path: "best.md", chunks: ["zebra zebra zebra", "zebra zebra zebra"] })
          )
          const ids = yield* allChunkIds(catalog)
          const best = (yield* catalog.chunks.ofDocument("repo/best.md")).map(({ id }) => id).toSorted()
          const expected = [...best, ...ids.filter((id) => !best.includes(id))]
          // few and many rows beyond the limit share the score of the last one; then none
          for (const limit of [1, 2, 10, 201, 202, 203, 250, 302, 400]) {
            const hits = yield* lexicalOf(catalog).search({ terms: ["zebra"], limit })
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
      const { generation } = yield* newGeneration
      const entry = documentEntry({
        chunks: [
          { text: "zebra zebra padding", headings: ["Other"] },
          { text: "padding padding padding", headings: ["Zebra"] },
          ...Array.from({ length: 10 }, (_, n) => `filler${n}`)
        ]
      })
      yield* withCatalog(generation, (catalog) => catalog.documents.replace(entry))
      for (const [headingWeight, first] of [
        [0, 0],
        [10, 1]
      ] as const) {
        const hits = yield* withCatalog(generation, (catalog) =>
          lexicalOf(catalog).search({ terms: ["zebra"], limit: 2 })
        ).pipe(Effect.provide(sqliteCatalog.build({ headingWeight }).pipe(Layer.provide(NodeServices.layer))))
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
      const { folder, generation } = yield* newGeneration
      const size = () => statSync(join(folder, "catalog.sqlite-wal")).size
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const chunks = Array.from({ length: 500 }, (_, n) => `chunk ${n} ${"some longer text ".repeat(30)}`)
          const entry = documentEntry({ chunks })
          yield* catalog.documents.replace(entry)
          const before = size()
          yield* catalog.documents.replace(entry)
          assert.isBelow(size() - before, before / 20)
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("replaces what an interrupted seed has left, and an older generation that is there", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const provider = yield* CatalogProvider
      yield* withCatalog(generation, (catalog) =>
        catalog.documents.replace(documentEntry({ chunks: ["alpha"] }))
      )
      const next = { ...generation, id: "g-000002" }
      const target = (yield* DataFolder).of(next)
      yield* withCatalog(next, (catalog) =>
        catalog.documents.replace(documentEntry({ chunks: ["old", "older"] }))
      )
      writeFileSync(join(target, "catalog.sqlite.new"), "half a file")
      const fiber = yield* Effect.forkChild(provider.seed(next, { from: generation, documents: true }))
      yield* Fiber.interrupt(fiber)
      yield* provider.seed(next, { from: generation, documents: true })
      yield* withCatalog(next, (catalog) =>
        Effect.map(countsOf(catalog), (counts) => assert.strictEqual(counts.chunks, 1))
      )
      assert.deepStrictEqual(readdirSync(target), ["catalog.sqlite"])
    }).pipe(Effect.provide(layer))
  )

  it.live.skipIf(process.getuid?.() === 0)(
    "names no path when its folder cannot be written (not as root)",
    () =>
      Effect.gen(function* () {
        const { generation } = yield* newGeneration
        const error = yield* Effect.flip(withCatalog(generation, countsOf))
        assert.strictEqual(error._tag, "CatalogError")
        assert.notInclude(error.message, "/proc")
      }).pipe(Effect.provide(layerIn("/proc/omnirag")))
  )

  it.live("tells that the place of its folder is taken by a file, without a path", () =>
    Effect.gen(function* () {
      const { folder, generation } = yield* newGeneration
      mkdirSync(dirname(folder), { recursive: true })
      writeFileSync(folder, "")
      const error = yield* Effect.flip(withCatalog(generation, countsOf))
      assert.strictEqual(error._tag, "CatalogError")
      assert.notInclude(error.message, folder)
    }).pipe(Effect.provide(layer))
  )
})
