import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { CatalogError, InvalidInput } from "../domain/errors.ts"
import * as fc from "fast-check"
import type { MetadataValue } from "../domain/Document.ts"
import { compileFilter } from "../domain/compileFilter.ts"
import { type ChunkFields, type Filter, comparisonOperators } from "../domain/Filter.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { DocumentEntry } from "../ports/catalog/DocumentCatalog.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { documentEntry } from "./catalogEntries.ts"
import { filterMatrix, matrixRows } from "./vectorStoreFilterMatrix.ts"

/** One document with one chunk that has these fields. */
const entryWith = (fields: ChunkFields): DocumentEntry =>
  documentEntry({
    source: fields.repo,
    path: fields.path,
    bundle: fields.bundle,
    mediaType: fields.mediaType,
    metadata: fields.metadata,
    chunks: [{ text: "zebra", intent: fields.intent, page: fields.page, confidence: fields.confidence }]
  })

const texts = fc.constantFrom(
  "",
  "a",
  "A",
  "ab",
  "a/b",
  "a/b.md",
  "ab/c.md",
  ".hidden/x.md",
  "é",
  "e\u0301",
  "😀",
  "\uffff",
  "%",
  "a%",
  "_",
  "'",
  '"',
  "\0",
  "a\0b",
  "0",
  "1",
  "1.0",
  "true",
  "null",
  "*",
  "[a]",
  "zebra\\"
)
const numbers = fc.constantFrom(0, -0, 1, -1, 0.1, 0.1 + 0.2, 0.3, 1e21, 5e-324, 2 ** 53, -1.5, 10)
const nameless = fc.constantFrom(
  "a",
  "ab",
  "a/b.md",
  "ab/c.md",
  ".hidden/x.md",
  "é.md",
  "😀",
  "\uffff",
  "%_",
  "it's"
)

const metadataValue: fc.Arbitrary<MetadataValue> = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.array(texts, { maxLength: 3 })
)

const row: fc.Arbitrary<ChunkFields> = fc.record({
  documentId: fc.constant(""),
  repo: nameless,
  bundle: fc.option(texts),
  path: nameless,
  mediaType: texts,
  intent: fc.option(texts),
  page: fc.option(fc.integer({ min: 0, max: 3 })),
  confidence: numbers,
  metadata: fc.dictionary(fc.constantFrom("one", "two", "it's"), metadataValue, { maxKeys: 3 })
})

const documentFields = [
  "documentId",
  "repo",
  "bundle",
  "path",
  "mediaType",
  "metadata.one",
  "metadata.two",
  "metadata.it's",
  "metadata.none",
  "metadata.constructor"
]
const scalar = fc.oneof(
  texts,
  nameless,
  numbers,
  fc.boolean(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, "\ud83d", "a\ud800")
)

const filterOn = (fields: ReadonlyArray<string>): fc.Arbitrary<Filter> => {
  const field = fc.constantFrom(...fields)
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc
        .record({
          _tag: fc.constant("Compare" as const),
          field,
          operator: fc.constantFrom(...comparisonOperators),
          value: scalar
        })
        .filter(({ operator, value }) => operator !== "glob" || value !== ""),
      fc.record({
        _tag: fc.constant("In" as const),
        field,
        values: fc.array(scalar, { maxLength: 4 }),
        negated: fc.boolean()
      }),
      fc.record({ _tag: fc.constant("Exists" as const), field, exists: fc.boolean() }),
      fc.record({ _tag: fc.constant("Not" as const), filter: tie("filter") }),
      fc.record({
        _tag: fc.constantFrom("And" as const, "Or" as const),
        filters: fc.array(tie("filter"), { maxLength: 3 })
      })
    )
  })).filter
}

/** The ids of the chunks a filter holds for; every chunk of these tests has the term "zebra". */
export type FindChunks = (
  catalog: Catalog,
  where: Filter
) => Effect.Effect<ReadonlyArray<string>, CatalogError | InvalidInput>

/** The filter of documents and chunks themselves. */
export const matchingChunks: FindChunks = (catalog, where) => catalog.chunks.matching(where, 1000)

/** Filters mean exactly what `compileFilter` says, in whichever part finds the chunks. */
export const catalogFilterTests = (test: CatalogTest, part: string, find: FindChunks): void => {
  test(`${part} knows every operator on every kind of value`, (catalog) =>
    Effect.gen(function* () {
      const names = new Map<string, string>()
      for (const [name, fields] of Object.entries(matrixRows)) {
        const entry = entryWith(fields)
        yield* catalog.documents.replace(entry)
        names.set(entry.chunks[0]?.id ?? "", name)
      }
      for (const { ids, title, where } of filterMatrix) {
        const found = yield* find(catalog, where)
        assert.deepStrictEqual(found.map((id) => names.get(id) ?? id).toSorted(), [...ids], title)
      }
    }))

  test(`${part} agrees with random filters on random rows`, (catalog) =>
    Effect.gen(function* () {
      const rows = new Map<string, ChunkFields>()
      for (const fields of fc.sample(row, { seed: 7, numRuns: 150 })) {
        const entry = entryWith(fields)
        yield* catalog.documents.replace(entry)
        const [chunk] = entry.chunks
        // the same source and path again replaces the row before
        for (const [id, { documentId }] of rows) if (documentId === entry.document.id) rows.delete(id)
        if (chunk !== undefined) rows.set(chunk.id, { ...fields, documentId: entry.document.id })
      }
      assert.isAbove(rows.size, 50)
      const run = Effect.runPromiseWith(yield* Effect.context())
      const agree = async (where: Filter): Promise<void> => {
        const expected = [...rows].filter(([, fields]) => compileFilter(where)(fields)).map(([id]) => id)
        const found = await run(find(catalog, where))
        assert.deepStrictEqual(found.toSorted(), expected.toSorted())
      }
      yield* Effect.promise(() =>
        fc.assert(fc.asyncProperty(filterOn([...documentFields, "page", "intent", "confidence"]), agree), {
          numRuns: 1000
        })
      )
      const agreeOnDocuments = async (where: Filter): Promise<void> => {
        const expected = [...rows.values()].filter(compileFilter(where)).map(({ documentId }) => documentId)
        const page = await run(catalog.documents.list({ first: 1000, where }))
        assert.deepStrictEqual(page.documents.map(({ id }) => id).toSorted(), expected.toSorted())
        assert.strictEqual(page.total, expected.length)
        const matching = await run(catalog.documents.matching(where, 1000))
        assert.deepStrictEqual(matching.toSorted(), expected.toSorted())
        assert.strictEqual((await run(catalog.documents.count(where))).documents, expected.length)
      }
      yield* Effect.promise(() =>
        fc.assert(fc.asyncProperty(filterOn(documentFields), agreeOnDocuments), { numRuns: 300 })
      )
    }))

  test(`${part} takes a filter as large as a filter may be`, (catalog) =>
    Effect.gen(function* () {
      const entry = documentEntry({ path: "p999.md", chunks: ["zebra"] })
      yield* catalog.documents.replace(entry)
      const compare = (value: string): Filter => ({ _tag: "Compare", field: "path", operator: "eq", value })
      const many: Filter = {
        _tag: "Or",
        filters: Array.from({ length: 1000 }, (_, n) => compare(`p${n}.md`))
      }
      let deep: Filter = compare("p999.md")
      for (let depth = 0; depth < 14; depth++) deep = { _tag: "Not", filter: deep }
      for (const where of [many, deep]) assert.lengthOf(yield* find(catalog, where), 1)
      const tooMany: Filter = { _tag: "And", filters: [many, deep] }
      assert.strictEqual((yield* Effect.flip(find(catalog, tooMany)))._tag, "InvalidInput")
    }))
}
