import { Effect, Option, Result } from "effect"
import { type CatalogError, FilterTooBroad, type InvalidInput } from "../../domain/errors.ts"
import { type Filter, isIn, not, validateFilter } from "../../domain/Filter.ts"
import { declaresOperator } from "../../ports/vectorStore/declaresFilter.ts"
import { describeCondition } from "../../ports/vectorStore/describeCondition.ts"
import type { VectorStore } from "../../ports/VectorStoreProvider.ts"
import type { FilterCatalog, FilterPlan } from "./FilterPlan.ts"
import { asksOnlyDocuments } from "./filterScope.ts"
import { joinConditions } from "./joinConditions.ts"
import type { SplitFilter } from "./splitFilter.ts"

/** "Not one of these documents", where the store can say it. */
const outside = (
  { filters }: VectorStore["capabilities"],
  documentIds: ReadonlyArray<string>
): Filter | undefined => {
  if (declaresOperator(filters, "nin", ""))
    return { _tag: "In", field: "documentId", values: documentIds, negated: true }
  return filters.not ? not(isIn("documentId", documentIds)) : undefined
}

/**
 * Resolves conditions that a store cannot evaluate to the documents or the chunks they hold for. The other conditions of
 * the filter narrow what the catalog is asked for, and stay with the query.
 */
export const resolveConditions = Effect.fn("resolveConditions")(function* (
  { pushed, rest }: SplitFilter,
  store: Pick<VectorStore, "name" | "capabilities">,
  catalog: FilterCatalog,
  limit: number
): Effect.fn.Return<Option.Option<FilterPlan>, CatalogError | InvalidInput | FilterTooBroad> {
  const condition = joinConditions(rest)
  if (condition === undefined) return Option.some({ where: joinConditions(pushed) })
  let found: { readonly number: number; readonly what: "documents" | "chunks" } | undefined

  if (asksOnlyDocuments(condition)) {
    const ofDocuments = pushed.filter(asksOnlyDocuments)
    const documents = yield* catalog.documents.matching(
      joinConditions([...rest, ...ofDocuments]) ?? condition,
      limit + 1
    )
    if (documents.length === 0) return Option.none()
    if (documents.length <= limit)
      return Option.some({ where: joinConditions([...pushed, isIn("documentId", documents)]) })
    found = { number: documents.length, what: "documents" }

    // a condition that holds for most documents: name those it does not hold for
    const opposite = joinConditions([...ofDocuments, not(condition)])
    if (
      opposite !== undefined &&
      outside(store.capabilities, []) !== undefined &&
      Result.isSuccess(validateFilter(opposite))
    ) {
      const others = yield* catalog.documents.matching(opposite, limit + 1)
      if (others.length === 0) return Option.some({ where: joinConditions(pushed) })
      const excluded = outside(store.capabilities, others)
      if (others.length <= limit && excluded !== undefined)
        return Option.some({ where: joinConditions([...pushed, excluded]) })
    }
  }

  const chunks = yield* catalog.chunks.matching(joinConditions([...rest, ...pushed]) ?? condition, limit + 1)
  if (chunks.length === 0) return Option.none()
  if (chunks.length <= limit) return Option.some({ where: joinConditions(pushed), ids: chunks })
  found ??= { number: chunks.length, what: "chunks" }
  const narrowed = pushed.length > 0 ? ", together with the other conditions," : ""
  return yield* new FilterTooBroad({
    store: store.name,
    limit,
    message: `the vector store ${store.name} cannot evaluate ${describeCondition(condition)}, which${narrowed} holds for at least ${found.number} ${found.what}; a query can name ${limit}. Narrow the filter, for example to a repository or a folder, or choose a vector store that evaluates such conditions`
  })
})
