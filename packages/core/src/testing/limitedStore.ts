import { Effect, Layer } from "effect"
import { VectorStoreError } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import { validateBatch, validateIds } from "../ports/vectorStore/validateBatch.ts"
import { validateCollection, validateGeneration } from "../ports/vectorStore/validateCollection.ts"
import { validateIdPage, validateQuery } from "../ports/vectorStore/validateQuery.ts"
import { validateStoreFilter } from "../ports/vectorStore/validateStoreFilter.ts"
import type { FilterOperator, VectorStoreCapabilities } from "../ports/VectorStoreCapabilities.ts"
import { collectionName, type VectorStore, VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { LimitedCollection } from "./LimitedCollection.ts"

const equality: ReadonlySet<FilterOperator> = new Set<FilterOperator>(["eq", "in"])

/** The least a store may declare: `eq`, `in` and a conjunction of them; ids in no useful order. */
export const leastCapabilities: VectorStoreCapabilities = {
  filters: {
    operators: { text: equality, number: equality, boolean: equality },
    exists: false,
    or: false,
    not: false
  },
  search: "exact",
  listing: "unsorted",
  counting: "exact",
  consistency: "immediate"
}

/** Looks after a write that an eventually consistent store answers from the state before it. */
const lag = 3

/** One open collection: checks what it is given as every store must, then does it. */
const makeStore = (
  name: string,
  capabilities: VectorStoreCapabilities,
  rows: LimitedCollection,
  isClosed: () => boolean
): VectorStore => {
  const { dimensions } = rows
  const call = <A>(
    fault: VectorStoreError | undefined,
    action: () => A
  ): Effect.Effect<A, VectorStoreError> =>
    Effect.suspend(() => {
      if (isClosed())
        return Effect.fail(
          new VectorStoreError({ store: name, reason: "closed", message: "the collection is closed" })
        )
      return fault === undefined ? Effect.sync(action) : Effect.fail(fault)
    })
  const checked = (where: Filter | undefined) =>
    where === undefined
      ? Effect.void
      : Effect.fromResult(validateStoreFilter(name, capabilities.filters, where))
  const unlisted =
    capabilities.listing === "none"
      ? new VectorStoreError({ store: name, reason: "unsupported", message: `${name} cannot list ids` })
      : undefined

  return {
    name,
    dimensions,
    capabilities,
    upsert: (batch) => call(validateBatch(name, dimensions, batch), () => rows.upsert(batch)),
    query: (query) =>
      Effect.andThen(
        checked(query.where),
        call(validateQuery(name, dimensions, query), () => rows.query(query))
      ),
    delete: (ids) => call(validateIds(name, ids), () => rows.delete(ids)),
    deleteWhere: (where) =>
      Effect.andThen(
        checked(where),
        call(undefined, () => rows.deleteWhere(where))
      ),
    count: (where) =>
      Effect.andThen(
        checked(where),
        call(undefined, () => rows.count(where))
      ),
    ids: (page) =>
      call(unlisted ?? validateIdPage(name, page), () => {
        const { after, limit } = page
        // an order that is fixed and not ascending
        const isDescending = capabilities.listing === "unsorted"
        const all = isDescending ? rows.ids().toReversed() : rows.ids()
        const left = all.filter((id) => after === undefined || (isDescending ? id < after : id > after))
        const ids = left.slice(0, limit)
        return { ids, next: left.length > limit ? (ids.at(-1) ?? null) : null }
      }),
    flush: call(undefined, () => undefined)
  }
}

/**
 * A vector store in memory that can do no more than a store must: an example for authors, and the proof that core's
 * results do not depend on what a store can do. `more` changes what it declares about listing, counting, search and
 * consistency. Collections live as long as the layer.
 */
export const limitedStore = (
  more: Partial<Omit<VectorStoreCapabilities, "filters">> = {}
): Layer.Layer<VectorStoreProvider> => {
  const name = "limited"
  const capabilities = { ...leastCapabilities, ...more }
  return Layer.sync(VectorStoreProvider, () => {
    const collections = new Map<string, LimitedCollection>()
    return {
      name,
      open: Effect.fn("limitedStore.open")(function* (spec) {
        const fault = validateCollection(name, spec)
        if (fault !== undefined) return yield* fault
        const { dimensions, generation } = spec
        const key = collectionName(generation)
        const rows =
          collections.get(key) ??
          new LimitedCollection(dimensions, capabilities.consistency === "eventual" ? lag : 0)
        if (rows.dimensions !== dimensions)
          return yield* new VectorStoreError({
            store: name,
            reason: "dimensions",
            message: `the collection "${key}" has ${rows.dimensions} dimensions, ${dimensions} were asked for`
          })
        collections.set(key, rows)
        let closed = false
        yield* Effect.addFinalizer(() => Effect.sync(() => void (closed = true)))
        return makeStore(name, capabilities, rows, () => closed || collections.get(key) !== rows)
      }),
      drop: Effect.fn("limitedStore.drop")(function* (generation) {
        const fault = validateGeneration(name, generation)
        if (fault !== undefined) return yield* fault
        collections.delete(collectionName(generation))
      })
    }
  })
}
