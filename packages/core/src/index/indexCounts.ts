import { Effect } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import type { IndexCounts } from "../domain/IndexStatus.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { DocumentCounts } from "../ports/catalog/DocumentCatalog.ts"

/** All documents and chunks of a catalog. */
export const countDocuments = ({ documents }: Catalog): Effect.Effect<DocumentCounts, CatalogError> =>
  // without a filter there is no input that could be invalid
  documents.count().pipe(Effect.catchTag("InvalidInput", Effect.die))

/** Everything there is to count in a catalog. */
export const indexCounts = Effect.fnUntraced(function* (
  catalog: Catalog
): Effect.fn.Return<IndexCounts, CatalogError> {
  return {
    ...(yield* countDocuments(catalog)),
    vectors: yield* catalog.cache.count,
    outbox: yield* catalog.outbox.count
  }
})
