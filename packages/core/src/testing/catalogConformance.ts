import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { chunkAnalysis as analysis } from "../language/ChunkAnalysis.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { catalogCacheTests } from "./catalogCacheTests.ts"
import { catalogChunkTests } from "./catalogChunkTests.ts"
import { catalogDocumentTests } from "./catalogDocumentTests.ts"
import { catalogFactTests } from "./catalogFactTests.ts"
import { catalogFilterTests, matchingChunks } from "./catalogFilterTests.ts"
import { catalogLexicalTests } from "./catalogLexicalTests.ts"
import { catalogOpeningTests } from "./catalogOpeningTests.ts"
import { catalogOutboxTests } from "./catalogOutboxTests.ts"
import { catalogRepeatTests } from "./catalogRepeatTests.ts"
import { catalogRunTests } from "./catalogRunTests.ts"
import { catalogSeedTests } from "./catalogSeedTests.ts"
import { freshIndex } from "./freshIndex.ts"

/** One suite for each part of the contract. All but `lexical` use the parts of a catalog that are always there. */
const suites = {
  opening: catalogOpeningTests,
  documents: catalogDocumentTests,
  chunks: catalogChunkTests,
  repeats: catalogRepeatTests,
  filters: (test: CatalogTest) => {
    catalogFilterTests(test, "the catalog", matchingChunks)
  },
  lexical: catalogLexicalTests,
  cache: catalogCacheTests,
  outbox: catalogOutboxTests,
  runs: catalogRunTests,
  facts: catalogFactTests,
  seeding: catalogSeedTests
} as const

/** A part of the contract of a catalog, see the table in `testing/index.ts`. */
export type CatalogPart = keyof typeof suites

/** Every part of the contract of a catalog. */
export const catalogParts: ReadonlyArray<CatalogPart> = [
  "opening",
  "documents",
  "chunks",
  "repeats",
  "filters",
  "lexical",
  "cache",
  "outbox",
  "runs",
  "facts",
  "seeding"
]

/** What the suites must know of a catalog. */
export interface CatalogConformance<E> {
  readonly name: string
  /** Each test gets the layer anew, and an index of its own. */
  readonly layer: Layer.Layer<CatalogProvider, E>
  /** The parts to prove; all of them when left out. A catalog whose `lexical` is null leaves that part out. */
  readonly parts?: ReadonlyArray<CatalogPart>
}

/**
 * The contract of `CatalogProvider` as tests, a suite for each part. In the test file of a plugin:
 *
 * ```ts
 * catalogConformance({ name: "my catalog", layer: myCatalog.build({}) })
 * ```
 */
export const catalogConformance = <E>({ layer, name, parts = catalogParts }: CatalogConformance<E>): void => {
  const test: CatalogTest = (title, body) => {
    it.live(title, () => {
      const generation = { index: freshIndex(), id: "g-000001" }
      return Effect.gen(function* () {
        const provider = yield* CatalogProvider
        const open = provider.open(generation, { analysis })
        yield* Effect.scoped(Effect.flatMap(open, (catalog) => body(catalog, generation)))
        const reopened = yield* Effect.scoped(Effect.flatMap(open, (catalog) => catalog.check))
        assert.deepStrictEqual(reopened, [], "the catalog finds its own content sound after every test")
      }).pipe(Effect.provide(layer))
    })
  }
  describe(`${name} keeps the contract of a catalog`, () => {
    for (const part of parts)
      describe(part, () => {
        suites[part](test)
      })
  })
}
