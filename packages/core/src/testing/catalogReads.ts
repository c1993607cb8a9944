import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { CatalogError, InvalidInput } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { LexicalIndex } from "../ports/catalog/LexicalIndex.ts"

/** How much there is of everything in a catalog. */
export interface CatalogCounts {
  readonly documents: number
  readonly chunks: number
  readonly vectors: number
  readonly outbox: number
}

/** Counts everything in a catalog, part by part. */
export const countsOf = (catalog: Catalog): Effect.Effect<CatalogCounts, CatalogError | InvalidInput> =>
  Effect.gen(function* () {
    const { chunks, documents } = yield* catalog.documents.count()
    return { documents, chunks, vectors: yield* catalog.cache.count, outbox: yield* catalog.outbox.count }
  })

/** Every chunk id of a catalog in its order, read by pages of `pageSize`. */
export const allChunkIds = (
  catalog: Catalog,
  pageSize = 500
): Effect.Effect<ReadonlyArray<string>, CatalogError> =>
  Effect.gen(function* () {
    const ids: Array<string> = []
    for (;;) {
      const page = yield* catalog.chunks.ids({ after: ids.at(-1), limit: pageSize })
      ids.push(...page)
      if (page.length < pageSize) return ids
    }
  })

/** The lexical index of a catalog that has one. */
export const lexicalOf = ({ lexical, name }: Catalog): LexicalIndex => {
  assert(lexical !== null, `the catalog ${name} has a lexical index`)
  return lexical
}
