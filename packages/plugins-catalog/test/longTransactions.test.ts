import type { Catalog } from "@omnirag/core/app"
import { documentEntry } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { layer, temporaryFolder, withCatalog } from "./catalogFolder.ts"

const long = (word: string) =>
  documentEntry({ chunks: Array.from({ length: 400 }, (_, n) => `${word} number ${n}`) })
const short = documentEntry({ path: "short.md", chunks: ["a short one about zebras"] })

/** What a reader sees: the numbers of chunks in all, with the old word and with the new one. */
const seen = (catalog: Catalog) =>
  Effect.gen(function* () {
    const { chunks } = yield* catalog.counts
    const old = yield* catalog.lexical({ terms: ["old"], limit: 1_000 })
    const fresh = yield* catalog.lexical({ terms: ["new"], limit: 1_000 })
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
      const folder = yield* temporaryFolder
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          yield* catalog.replaceDocument(long("old"))
          const turns = yield* turnsDuring(catalog, catalog.replaceDocument(long("new")))
          assert.isAbove(turns.length, 20)
          assert.deepStrictEqual(distinct(turns), ["400,400,0", "400,0,400"])
        })
      )
    }).pipe(Effect.provide(layer))
  )

  it.live("is removed in turns, and readers see all of it until none of it is there", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          const entry = long("old")
          yield* catalog.replaceDocument(entry)
          const turns = yield* turnsDuring(catalog, catalog.deleteDocuments([entry.document.id]))
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
        const folder = yield* temporaryFolder
        yield* withCatalog(folder, (catalog) =>
          Effect.gen(function* () {
            yield* catalog.replaceDocument(long("old"))
            const fiber = yield* Effect.forkChild(catalog.replaceDocument(long("new")))
            yield* Effect.yieldNow
            yield* Effect.yieldNow
            yield* Fiber.interrupt(fiber)
            assert.deepStrictEqual(yield* seen(catalog), [400, 400, 0])
            yield* catalog.replaceDocument(short)
            assert.deepStrictEqual(yield* seen(catalog), [401, 400, 0])
            assert.deepStrictEqual(yield* catalog.check, [])
          })
        )
      }).pipe(Effect.provide(layer))
  )

  it.live("keeps other writes waiting, so that each is whole, and one that fails takes none along", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* withCatalog(folder, (catalog) =>
        Effect.gen(function* () {
          const broken = long("new")
          const first = broken.chunks[0]
          assert.isDefined(first)
          // an id given twice fails the last slice
          const failing = { ...broken, chunks: [...broken.chunks, first] }
          const [failed] = yield* Effect.all(
            [
              Effect.flip(catalog.replaceDocument(failing)),
              catalog.replaceDocument(short),
              catalog.setMeta("key", "value"),
              catalog.cacheVectors("f", "document", [])
            ],
            { concurrency: "unbounded" }
          )
          assert.include(failed.message, "two chunks of")
          assert.deepStrictEqual(yield* seen(catalog), [1, 0, 0])
          assert.deepInclude(yield* catalog.getMeta("key"), { value: "value" })
        })
      )
    }).pipe(Effect.provide(layer))
  )
})
