import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import {
  type Catalog,
  CatalogProvider,
  type ChunkFields,
  ChunkFilter,
  chunkAnalysis,
  type Filter,
  HealthChecks,
  planFilter,
  type VectorStore,
  VectorStoreProvider
} from "@omnirag/core/app"
import {
  anyFields,
  anyFilter,
  clusteredVectors,
  documentEntry,
  filterMatrix,
  limitedStore,
  matrixRows,
  temporaryDataFolder
} from "@omnirag/core/testing"
import { sqliteCatalog } from "@omnirag/plugins-catalog"
import { exact } from "@omnirag/plugins-vectordb"
import { Effect, Layer, Option } from "effect"
import * as fc from "fast-check"

const dimensions = 16
const query = clusteredVectors(1, dimensions, 9)

const services = Layer.mergeAll(temporaryDataFolder("filters"), HealthChecks.layer, NodeServices.layer)

/** A catalog on disk, the store `exact`, and one that can do nothing but `eq` and `in`, all with the same rows. */
const world = (generation: string, documents: ReadonlyArray<ReadonlyArray<ChunkFields>>) =>
  Effect.gen(function* () {
    const named = { index: "filters", id: generation }
    const catalog = yield* Effect.flatMap(CatalogProvider, (provider) =>
      provider.open(named, { analysis: chunkAnalysis })
    ).pipe(Effect.provide(sqliteCatalog.build({})))
    const open = Effect.flatMap(VectorStoreProvider, (provider) =>
      provider.open({ generation: named, dimensions })
    )
    const stores = [
      yield* open.pipe(Effect.provide(exact.build({}))),
      yield* open.pipe(Effect.provide(limitedStore()))
    ] as const

    const rows = new Map<string, ChunkFields>()
    for (const [n, chunks] of documents.entries()) {
      const [first] = chunks
      if (first === undefined) continue
      const entry = documentEntry({
        source: first.repo,
        path: first.path,
        bundle: first.bundle,
        mediaType: first.mediaType,
        metadata: first.metadata,
        chunks: chunks.map(({ confidence, intent, page }, i) => ({
          text: `text ${n} ${i}`,
          confidence,
          intent,
          page
        }))
      })
      yield* catalog.documents.replace(entry)
      for (const { confidence, documentId, id, intent, page } of entry.chunks)
        rows.set(id, { ...first, documentId, confidence, intent, page })
    }
    const vectors = clusteredVectors(rows.size, dimensions, 4)
    for (const store of stores)
      yield* store.upsert({ ids: [...rows.keys()], fields: [...rows.values()], vectors: vectors.slice() })
    return { catalog, rows, stores }
  })

const search = Effect.fnUntraced(function* (
  where: Filter,
  store: VectorStore,
  catalog: Catalog,
  topK: number
) {
  const plan = yield* planFilter(where, store, catalog)
  if (Option.isNone(plan)) return []
  return (yield* store.query({ vector: query, topK, ...plan.value })).map((hit) => hit.id)
})

/** Documents with different paths, each with one to three chunks that differ in page, intent and confidence. */
const someDocuments = fc
  .sample(fc.array(anyFields, { minLength: 1, maxLength: 3 }), { seed: 11, numRuns: 80 })
  .map((chunks, n) => chunks.map((fields) => ({ ...fields, path: `${fields.path.slice(0, 2)}/${n}.md` })))

describe("the same rows match on every store", () => {
  it.live("every operator, type of value and nesting of the matrix", () =>
    Effect.gen(function* () {
      const documents = Object.values(matrixRows).map((fields) => [fields])
      const { catalog, rows, stores } = yield* world("matrix", documents)
      const names = new Map([...rows.keys()].map((id, n) => [id, String(n + 1)]))
      for (const { ids, title, where } of filterMatrix)
        for (const store of stores) {
          const found = yield* search(where, store, catalog, 10)
          const named = found.map((id) => names.get(id) ?? id)
          assert.deepStrictEqual(named.toSorted(), [...ids], `${store.name}: ${title}`)
        }
    }).pipe(Effect.provide(services))
  )

  it.live("random filters on random documents: what compileFilter says, and the same best rows", () =>
    Effect.gen(function* () {
      const { catalog, rows, stores } = yield* world("random", someDocuments)
      assert.isAbove(rows.size, 100)
      const run = Effect.runPromiseWith(yield* Effect.context())
      const sizes = { none: 0, some: 0, all: 0 }
      const agree = async (where: Filter): Promise<void> => {
        const test = ChunkFilter.compileFilter(where)
        const expected = [...rows].filter(([, fields]) => test(fields)).map(([id]) => id)
        const [best, limited] = [
          await run(search(where, stores[0], catalog, rows.size)),
          await run(search(where, stores[1], catalog, rows.size))
        ]
        assert.deepStrictEqual(best.toSorted(), expected.toSorted())
        assert.deepStrictEqual(limited, best)
        assert.deepStrictEqual(await run(search(where, stores[1], catalog, 3)), best.slice(0, 3))
        sizes[expected.length === 0 ? "none" : expected.length === rows.size ? "all" : "some"]++
      }
      yield* Effect.promise(() => fc.assert(fc.asyncProperty(anyFilter(), agree), { numRuns: 1000 }))
      for (const times of Object.values(sizes)) assert.isAbove(times, 50)
    }).pipe(Effect.provide(services))
  )
})
