import { Effect } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import type { SourceSummary } from "../domain/SourceSummary.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"

/** What is indexed of each source. */
export const sourcesOf = ({
  documents
}: Pick<Catalog, "documents">): Effect.Effect<ReadonlyArray<SourceSummary>, CatalogError> =>
  // without a filter there is no input that could be invalid
  documents.sources().pipe(Effect.catchTag("InvalidInput", Effect.die))
