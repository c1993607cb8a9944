import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { join } from "node:path"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { CatalogTest } from "./CatalogTest.ts"
import { catalogDocumentTests } from "./catalogDocumentTests.ts"
import { catalogFilterTests } from "./catalogFilterTests.ts"
import { catalogGenerationTests } from "./catalogGenerationTests.ts"
import { catalogLexicalTests } from "./catalogLexicalTests.ts"
import { catalogOutboxTests } from "./catalogOutboxTests.ts"
import { catalogRepeatTests } from "./catalogRepeatTests.ts"
import { catalogVectorTests } from "./catalogVectorTests.ts"

/** What the suite must know of a catalog. */
export interface CatalogConformance<E> {
  readonly layer: Layer.Layer<CatalogProvider, E>
  /** An empty folder; the suite makes a folder in it for each test. */
  readonly folder: string
}

/**
 * The contract of `CatalogProvider` as tests. In the test file of a plugin:
 *
 * ```ts
 * catalogConformance("my catalog", { layer: myCatalog.build({}), folder })
 * ```
 */
export const catalogConformance = <E>(name: string, { folder, layer }: CatalogConformance<E>): void => {
  let number = 0
  const test: CatalogTest = (title, body) => {
    it.live(title, () => {
      const own = join(folder, `catalog-${++number}`)
      return Effect.gen(function* () {
        const provider = yield* CatalogProvider
        yield* Effect.scoped(Effect.flatMap(provider.open(own), (catalog) => body(catalog, own)))
        const reopened = yield* Effect.scoped(Effect.flatMap(provider.open(own), (catalog) => catalog.check))
        assert.deepStrictEqual(reopened, [], "the catalog checks its own file as sound after every test")
      }).pipe(Effect.provide(layer))
    })
  }
  describe(`${name} keeps the contract of a catalog`, () => {
    describe("documents", () => {
      catalogDocumentTests(test)
    })
    describe("repeated texts", () => {
      catalogRepeatTests(test)
    })
    describe("lexical search", () => {
      catalogLexicalTests(test)
    })
    describe("filters", () => {
      catalogFilterTests(test)
    })
    describe("vectors", () => {
      catalogVectorTests(test)
    })
    describe("outbox", () => {
      catalogOutboxTests(test)
    })
    describe("generations, runs and the write lock", () => {
      catalogGenerationTests(test)
    })
  })
}
