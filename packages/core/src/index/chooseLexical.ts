import { Effect } from "effect"
import { CatalogError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { LexicalIndex } from "../ports/catalog/LexicalIndex.ts"
import type { VectorIndex } from "./Generation.ts"

/** Which part of a generation searches by words. */
export type LexicalChoice = "catalog" | "vectorStore"

const missing = (name: string): CatalogError =>
  new CatalogError({
    operation: "lexical",
    message: `${name} has no word index; set \`retrieval.lexical\` to the part that has one`
  })

/** Stands in until the vectors are there: a store without rows finds nothing. */
const nothing: LexicalIndex = {
  search: () => Effect.succeed([]),
  statistics: (terms) => Effect.succeed({ chunks: 0, frequencies: new Map(terms.map((term) => [term, 0])) }),
  refresh: Effect.succeed(0)
}

/** The word index that the configuration chooses; `CatalogError` when the chosen part has none. */
export const chooseLexical = (
  choice: LexicalChoice,
  catalog: Catalog,
  vectors: VectorIndex | null
): Effect.Effect<LexicalIndex, CatalogError> => {
  if (choice === "catalog") {
    return catalog.lexical === null
      ? Effect.fail(missing(`the catalog ${catalog.name}`))
      : Effect.succeed(catalog.lexical)
  }
  if (vectors === null) return Effect.succeed(nothing)
  const { lexical, name } = vectors.store
  return lexical === undefined ? Effect.fail(missing(`the vector store ${name}`)) : Effect.succeed(lexical)
}
