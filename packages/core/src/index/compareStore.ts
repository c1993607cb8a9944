import { Effect, Option, Stream } from "effect"
import type { CatalogError, InvalidInput, VectorStoreError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { maxIds, type VectorStore } from "../ports/VectorStoreProvider.ts"

/** Ids read by one page: bounds the memory whatever the size of the index. */
const pageSize = 1_000

/** A chunk that the store lacks, or a vector of no chunk. */
export interface StoreDrift {
  readonly kind: "missing" | "orphan"
  readonly id: string
}

type Failure = CatalogError | VectorStoreError

/** The number of vectors in a store. */
export const countOf = (store: VectorStore): Effect.Effect<number, VectorStoreError> =>
  // without a filter there is no input that could be invalid
  store.count().pipe(Effect.catchTag("InvalidInput", Effect.die))

/** Some ids of an ascending list, and whether there are more. */
interface Head {
  readonly ids: ReadonlyArray<string>
  /** Where the next page begins; none when the list is read. */
  readonly after: Option.Option<string | undefined>
}

const unread: Head = { ids: [], after: Option.some(undefined) }

const chunkPage = ({ chunks }: Catalog, after: string | undefined): Effect.Effect<Head, CatalogError> =>
  Effect.map(chunks.ids({ after, limit: pageSize }), (ids) => ({
    ids,
    after: ids.length < pageSize ? Option.none() : Option.some(ids.at(-1))
  }))

const storePage = (store: VectorStore, after: string | undefined): Effect.Effect<Head, VectorStoreError> =>
  Effect.map(store.ids({ after, limit: pageSize }), ({ ids, next }) => ({
    ids,
    after: Option.fromNullishOr(next)
  }))

/** Every chunk id of a catalog, ascending, page by page. */
export const chunkIds = (catalog: Catalog): Stream.Stream<string, CatalogError> =>
  Stream.paginate(undefined as string | undefined, (after) =>
    Effect.map(chunkPage(catalog, after), (page) => [page.ids, page.after] as const)
  )

/** Every id of a store in the order it lists them, page by page. */
export const storeIds = (store: VectorStore): Stream.Stream<string, VectorStoreError> =>
  Stream.paginate(undefined as string | undefined, (after) =>
    Effect.map(storePage(store, after), (page) => [page.ids, page.after] as const)
  )

const isRead = ({ after, ids }: Head): boolean => ids.length === 0 && Option.isNone(after)

/** The head with its next page, when all of it has been looked at. */
const refill = Effect.fnUntraced(function* <E>(
  head: Head,
  read: (after: string | undefined) => Effect.Effect<Head, E>
): Effect.fn.Return<Head, E> {
  let next = head
  while (next.ids.length === 0 && Option.isSome(next.after)) next = yield* read(next.after.value)
  return next
})

/** Up to which id both heads are known. */
const horizon = (left: Head, right: Head): string | undefined => {
  const ends = [left, right].filter(({ after }) => Option.isSome(after)).map(({ ids }) => ids.at(-1) ?? "")
  return ends.length === 0 ? undefined : ends.reduce((least, end) => (end < least ? end : least))
}

/** The ids up to the horizon, and the head without them. */
const take = ({ after, ids }: Head, to: string | undefined): readonly [ReadonlyArray<string>, Head] => {
  const later = to === undefined ? -1 : ids.findIndex((id) => id > to)
  return later === -1 ? [ids, { ids: [], after }] : [ids.slice(0, later), { ids: ids.slice(later), after }]
}

const without = (left: ReadonlyArray<string>, right: ReadonlySet<string>) =>
  left.filter((id) => !right.has(id))

const differences = (
  chunks: ReadonlyArray<string>,
  rows: ReadonlyArray<string>
): ReadonlyArray<StoreDrift> => [
  ...without(chunks, new Set(rows)).map((id) => ({ kind: "missing" as const, id })),
  ...without(rows, new Set(chunks)).map((id) => ({ kind: "orphan" as const, id }))
]

/** Both lists ascend: a page of each is in memory. */
const compareSorted = (catalog: Catalog, store: VectorStore): Stream.Stream<StoreDrift, Failure> =>
  Stream.paginate({ chunks: unread, rows: unread }, (state) =>
    Effect.gen(function* () {
      const chunks = yield* refill(state.chunks, (after) => chunkPage(catalog, after))
      const rows = yield* refill(state.rows, (after) => storePage(store, after))
      const to = horizon(chunks, rows)
      const [someChunks, laterChunks] = take(chunks, to)
      const [someRows, laterRows] = take(rows, to)
      const done = isRead(laterChunks) && isRead(laterRows)
      return [
        differences(someChunks, someRows),
        done ? Option.none() : Option.some({ chunks: laterChunks, rows: laterRows })
      ] as const
    })
  )

/** The store lists its ids in an order of its own: they are in memory, the chunks come page by page. */
const compareUnsorted = (catalog: Catalog, store: VectorStore): Stream.Stream<StoreDrift, Failure> =>
  Stream.unwrap(
    Effect.map(Stream.runCollect(storeIds(store)), (ids) => {
      const rows = new Set(ids)
      return chunkIds(catalog).pipe(
        Stream.filter((id) => !rows.delete(id)),
        Stream.map((id): StoreDrift => ({ kind: "missing", id })),
        Stream.concat(
          Stream.suspend(() =>
            Stream.fromIterable(Array.from(rows, (id): StoreDrift => ({ kind: "orphan", id })))
          )
        )
      )
    })
  )

/** The store lists no ids: it is asked for the rows of each page of chunks; vectors of no chunk stay unknown. */
const probeChunks = (catalog: Catalog, store: VectorStore): Stream.Stream<StoreDrift, Failure> => {
  const limit = Math.min(pageSize, maxIds)
  const axis = Float32Array.from({ length: store.dimensions }, (_, index) => (index === 0 ? 1 : 0))
  return chunkIds(catalog).pipe(
    Stream.grouped(limit),
    Stream.mapEffect((ids) =>
      store.query({ vector: axis, topK: ids.length, ids }).pipe(
        Effect.map((hits) => without(ids, new Set(hits.map(({ id }) => id)))),
        // neither the vector nor the number of ids is out of bounds
        Effect.catchTag("InvalidInput", (error: InvalidInput) => Effect.die(error))
      )
    ),
    Stream.flatMap((missing) => Stream.fromIterable(missing)),
    Stream.map((id): StoreDrift => ({ kind: "missing", id }))
  )
}

/**
 * Compares a store with the catalog by id, in memory that does not grow with the index where the store lists its ids in
 * order. Emits what differs, in no promised order.
 */
export const compareStore = (catalog: Catalog, store: VectorStore): Stream.Stream<StoreDrift, Failure> => {
  switch (store.capabilities.listing) {
    case "sorted":
      return compareSorted(catalog, store)
    case "unsorted":
      return compareUnsorted(catalog, store)
    case "none":
      return probeChunks(catalog, store)
  }
}
