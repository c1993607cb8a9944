import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { compareStore } from "../../src/index/compareStore.ts"
import type { Catalog } from "../../src/ports/catalog/Catalog.ts"
import { allFilters, type VectorStoreCapabilities } from "../../src/ports/VectorStoreCapabilities.ts"
import type { VectorStore } from "../../src/ports/VectorStoreProvider.ts"

const byUnits = (left: string, right: string) => (left < right ? -1 : 1)

/** A catalog of which only the ids of its chunks are asked for. */
const catalogWith = (ids: ReadonlyArray<string>): Catalog => {
  const sorted = ids.toSorted(byUnits)
  const chunks = {
    ids: ({ after, limit }: { readonly after?: string | undefined; readonly limit: number }) =>
      Effect.succeed(sorted.filter((id) => after === undefined || id > after).slice(0, limit))
  }
  return { chunks } as unknown as Catalog
}

/** A store that lists its ids three at a time, in an order of its own or sorted, or tells only which of some it has. */
const storeWith = (ids: ReadonlyArray<string>, listing: VectorStoreCapabilities["listing"]): VectorStore => {
  const listed = listing === "sorted" ? ids.toSorted(byUnits) : ids
  const capabilities: VectorStoreCapabilities = {
    filters: allFilters,
    search: "exact",
    listing,
    counting: "exact",
    consistency: "immediate"
  }
  return {
    capabilities,
    dimensions: 2,
    ids: ({ after }: { readonly after?: string | undefined }) =>
      Effect.sync(() => {
        if (listing === "none") throw new Error("ids cannot be listed")
        const start = after === undefined ? 0 : listed.indexOf(after) + 1
        const page = listed.slice(start, start + 3)
        return { ids: page, next: start + 3 < listed.length ? (page.at(-1) ?? null) : null }
      }),
    query: ({ ids: wanted = [] }: { readonly ids?: ReadonlyArray<string> }) =>
      Effect.succeed(wanted.filter((id) => ids.includes(id)).map((id) => ({ id, score: 0 })))
  } as unknown as VectorStore
}

const drift = (catalog: Catalog, store: VectorStore) =>
  Effect.runSync(
    Effect.map(Stream.runCollect(compareStore(catalog, store)), (all) =>
      all.map(({ id, kind }) => `${kind} ${id}`).toSorted(byUnits)
    )
  )

const expected = (chunks: ReadonlyArray<string>, rows: ReadonlyArray<string>) =>
  [
    ...chunks.filter((id) => !rows.includes(id)).map((id) => `missing ${id}`),
    ...rows.filter((id) => !chunks.includes(id)).map((id) => `orphan ${id}`)
  ].toSorted(byUnits)

describe("compareStore", () => {
  it("finds what differs, however the store lists its ids", () => {
    const ids = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom("a", "b", "\u{1F600}", "é") })
    )
    fc.assert(
      fc.property(
        ids,
        ids,
        fc.constantFrom("sorted" as const, "unsorted" as const),
        (chunks, rows, listing) => {
          assert.deepStrictEqual(drift(catalogWith(chunks), storeWith(rows, listing)), expected(chunks, rows))
        }
      ),
      { numRuns: 500 }
    )
  })

  it("goes through many pages", () => {
    const chunks = Array.from({ length: 2_500 }, (_, n) => `c${String(n).padStart(5, "0")}`)
    const rows = [...chunks.filter((_, n) => n % 1_000 !== 999), "a", "z"]
    assert.deepStrictEqual(drift(catalogWith(chunks), storeWith(rows, "sorted")), [
      "missing c00999",
      "missing c01999",
      "orphan a",
      "orphan z"
    ])
  })

  it("finds what is missing in a store that lists nothing", () => {
    assert.deepStrictEqual(drift(catalogWith(["a", "b", "c"]), storeWith(["b", "x"], "none")), [
      "missing a",
      "missing c"
    ])
  })
})
