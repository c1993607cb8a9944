import type { Catalog } from "@omnirag/core/app"
import { countsOf, documentEntry, lexicalOf } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { layer, newGeneration, withCatalog } from "./catalogLayer.ts"

const long = (word: string) =>
  documentEntry({ chunks: Array.from({ length: 400 }, (_, n) => `${word} number ${n}`) })
const short = documentEntry({ path: "short.md", chunks: ["a short one about zebras"] })

/** What a reader sees: the numbers of chunks in all, with the old word and with the new one. */
const seen = (catalog: Catalog) =>
  Effect.gen(function* () {
    const { chunks } = yield* countsOf(catalog)
    const old = yield* lexicalOf(catalog).search({ terms: ["old"], limit: 1_000 })
    const fresh = yield* lexicalOf(catalog).search({ terms: ["new"], limit: 1_000 })
    return [chunks, old.length, fresh.length]
  })

/** What readers see, turn by turn, until the write is done. */
const turnsDuring = Effect.fnUntraced(function* <A, E>(catalog: Catalog, write: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(write)
  const turns: Array<ReadonlyArray<number>> = []
  while (fiber.pollUnsafe() === undefined) {
    yield* Effect.yieldNow
    turns.push(yield* seen(catalog))
  }
  yield* Fiber.join(fiber)
  return turns
})

const distinct = (turns: ReadonlyArray<ReadonlyArray<number>>) => [...new Set(turns.map(String))]

describe("a document of many chunks", () => {
  it.live("is replaced in turns, and readers see the old version until all of the new one is there", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          yield* catalog.documents.replace(long("old"))
          const turns = yield* turnsDuring(catalog, catalog.documents.replace(long("new")))
          assert.isAbove(turns.length, 20)
          assert.deepStrictEqual(distinct(turns), ["400,400,0", "400,0,400"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("is removed in turns, and readers see all of it until none of it is there", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const entry = long("old")
          yield* catalog.documents.replace(entry)
          const turns = yield* turnsDuring(catalog, catalog.documents.remove([entry.document.id]))
          assert.isAbove(turns.length, 10)
          assert.deepStrictEqual(distinct(turns), ["400,400,0", "0,0,0"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live(
    "stays as it was when its replacement is interrupted, and the next write finds no trace of it",
    () =>
      Effect.gen(function* () {
        const { generation } = yield* newGeneration
        yield* withCatalog(generation, (catalog) =>
          Effect.gen(function* () {
            yield* catalog.documents.replace(long("old"))
            const fiber = yield* Effect.forkChild(catalog.documents.replace(long("new")))
            yield* Effect.yieldNow
            yield* Effect.yieldNow
            yield* Fiber.interrupt(fiber)
            assert.deepStrictEqual(yield* seen(catalog), [400, 400, 0])
            yield* catalog.documents.replace(short)
            assert.deepStrictEqual(yield* seen(catalog), [401, 400, 0])
            assert.deepStrictEqual(yield* catalog.check, [])
          })
        )
      }).pipe(Effect.provide(layer))
  )

  it.live("keeps other writes waiting, so that each is whole, and one that fails takes none along", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      yield* withCatalog(generation, (catalog) =>
        Effect.gen(function* () {
          const broken = long("new")
          const first = broken.chunks[0]
          assert.isDefined(first)
          // an id given twice fails the last slice
          const failing = { ...broken, chunks: [...broken.chunks, first] }
          const [failed] = yield* Effect.all(
            [
              Effect.flip(catalog.documents.replace(failing)),
              catalog.documents.replace(short),
              catalog.facts.set("key", "value"),
              catalog.cache.put("f", "document", [])
            ],
            { concurrency: "unbounded" }
          )
          assert.include(failed.message, "two chunks of")
          assert.deepStrictEqual(yield* seen(catalog), [1, 0, 0])
          assert.deepInclude(yield* catalog.facts.get("key"), { value: "value" })
        })
      )
    }).pipe(Effect.provide(layer))
  )
})
