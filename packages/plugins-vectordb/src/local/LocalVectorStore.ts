import type { ResourceLimits } from "node:worker_threads"
import { Effect, Layer } from "effect"
import {
  allFilters,
  collectionName,
  type CollectionSpec,
  DataFolder,
  type Filter,
  type GenerationRef,
  IndexCorrupt,
  validateBatch,
  validateCollection,
  validateGeneration,
  validateIdPage,
  validateIds,
  validateQuery,
  validateStoreFilter,
  type VectorBatch,
  type VectorQuery,
  type VectorStore,
  type VectorStoreCapabilities,
  VectorStoreError,
  VectorStoreProvider
} from "@omnirag/core/plugin"
import { ownBuffer, sliceRows } from "./handOver.ts"
import type { IndexChoice, Operation, Operations } from "./worker/protocol.ts"
import { acquireVectorWorker, keepVectorWorker, type VectorWorker } from "./worker/VectorWorker.ts"

export interface LocalStoreOptions {
  readonly name: string
  readonly index: IndexChoice
  /** Limits of the thread, when this store is the one that starts it. */
  readonly workerLimits?: ResourceLimits
}

const idsPerMessage = 4096
let lastBatch = 0

const capabilitiesOf = ({ graph }: IndexChoice): VectorStoreCapabilities => ({
  filters: allFilters,
  search: graph === undefined ? "exact" : "approximate",
  listing: "sorted",
  counting: "exact",
  consistency: "immediate"
})

/** A collection whose vectors live in the worker thread and, after `flush`, in files. */
const makeStore = (
  store: string,
  capabilities: VectorStoreCapabilities,
  worker: VectorWorker,
  spec: CollectionSpec,
  handle: number,
  isClosed: () => boolean
): VectorStore => {
  const { dimensions } = spec
  const collection = collectionName(spec.generation)
  const ask = <Name extends Operation>(
    operation: Name,
    input: Operations[Name]["input"],
    transfer?: ReadonlyArray<ArrayBuffer>
  ): Effect.Effect<Operations[Name]["output"], VectorStoreError> =>
    Effect.suspend(() =>
      isClosed()
        ? Effect.fail(new VectorStoreError({ store, reason: "closed", message: `${collection} is closed` }))
        : worker.request(store, operation, input, transfer).pipe(
            // files are checked when a collection opens; after that nothing is read from them
            Effect.catchTag("IndexCorrupt", (cause) =>
              Effect.fail(new VectorStoreError({ store, reason: "native", message: cause.message, cause }))
            )
          )
    )
  const refuse = (fault: VectorStoreError | undefined) =>
    fault === undefined ? Effect.void : Effect.fail(fault)
  const checkFilter = (where: Filter | undefined) =>
    where === undefined
      ? Effect.void
      : Effect.fromResult(validateStoreFilter(store, capabilities.filters, where))

  const upsert = Effect.fn("LocalVectorStore.upsert")(function* (batch: VectorBatch) {
    const { fields, ids, vectors } = batch
    if (ids.length === 0 || ids.length !== fields.length || !(vectors instanceof Float32Array))
      return yield* refuse(validateBatch(store, dimensions, batch))
    const number = ++lastBatch
    yield* Effect.gen(function* () {
      yield* sliceRows(store, batch, (rows) => ask("stage", { handle, batch: number, rows }))
      const own = yield* ownBuffer(vectors)
      // the values of the vectors are checked there, before they reach the binding
      yield* ask("upsert", { handle, batch: number, vectors: own.vectors }, [own.buffer])
    }).pipe(
      // a caller that left in the middle leaves no rows behind
      Effect.onError(() => Effect.ignore(ask("discard", { handle, batch: number })))
    )
  })

  const query = Effect.fn("LocalVectorStore.query")(function* (request: VectorQuery) {
    yield* refuse(validateQuery(store, dimensions, request))
    yield* checkFilter(request.where)
    const { ids, topK, where } = request
    // a copy: a view would carry its whole buffer along
    const vector = request.vector.slice()
    const found = yield* ask("query", { handle, vector, topK, limits: { ids, where } })
    return found.ids.map((id, i) => ({ id, score: found.scores[i] ?? 0 }))
  })

  const remove = Effect.fn("LocalVectorStore.delete")(function* (ids: ReadonlyArray<string>) {
    yield* refuse(validateIds(store, ids))
    for (let start = 0; start < ids.length; start += idsPerMessage)
      yield* ask("remove", { handle, ids: ids.slice(start, start + idsPerMessage) })
  })

  const removeWhere = Effect.fn("LocalVectorStore.deleteWhere")(function* (where: Filter) {
    yield* checkFilter(where)
    yield* ask("removeWhere", { handle, where })
  })

  const count = Effect.fn("LocalVectorStore.count")(function* (where?: Filter) {
    yield* checkFilter(where)
    return yield* ask("count", { handle, where })
  })

  const ids: VectorStore["ids"] = Effect.fn("LocalVectorStore.ids")(function* (page) {
    yield* refuse(validateIdPage(store, page))
    const { after, limit } = page
    // one more than asked for tells whether there are more
    const found = yield* ask("page", { handle, after, limit: limit + 1 })
    return found.length > limit
      ? { ids: found.slice(0, limit), next: found[limit - 1] ?? null }
      : { ids: found, next: null }
  })

  return {
    name: store,
    dimensions,
    capabilities,
    upsert,
    reserve: (rows) => ask("reserve", { handle, rows }),
    query,
    delete: remove,
    deleteWhere: removeWhere,
    count,
    ids,
    flush: ask("flush", { handle }).pipe(Effect.withSpan("LocalVectorStore.flush"))
  }
}

const makeProvider = (
  options: LocalStoreOptions,
  data: DataFolder["Service"]
): VectorStoreProvider["Service"] => {
  const store = options.name
  const capabilities = capabilitiesOf(options.index)
  const warned = new Set<string>()
  const placeOf = (generation: GenerationRef) => ({
    folder: data.of(generation),
    collection: collectionName(generation)
  })

  const open = Effect.fn("LocalVectorStore.open")(function* (spec: CollectionSpec) {
    const fault = validateCollection(store, spec)
    if (fault !== undefined) return yield* fault
    const worker = yield* acquireVectorWorker(options.workerLimits)
    const { dimensions, generation } = spec
    const place = placeOf(generation)
    let closed = false
    const opened = yield* Effect.acquireRelease(
      worker.request(store, "open", { place, dimensions, index: options.index }),
      ({ handle }) => {
        closed = true
        return Effect.ignore(worker.request(store, "close", { handle }))
      }
    )
    if (opened.binding === "faiss-node") keepVectorWorker(worker)
    if (opened.warning !== undefined && !warned.has(opened.warning)) {
      warned.add(opened.warning)
      yield* Effect.logWarning(`vector store ${store}: ${opened.warning}`)
    }
    if (opened.note !== undefined)
      yield* Effect.logWarning(
        `vector store ${store}: the graph of ${place.collection} is built anew, ${opened.note}; until then rows are scanned`
      )
    return makeStore(store, capabilities, worker, spec, opened.handle, () => closed)
  })

  const drop = Effect.fn("LocalVectorStore.drop")(function* (generation: GenerationRef) {
    const fault = validateGeneration(store, generation)
    if (fault !== undefined) return yield* fault
    yield* Effect.scoped(
      Effect.flatMap(acquireVectorWorker(options.workerLimits), (worker) =>
        worker.request(store, "drop", { place: placeOf(generation) })
      )
    ).pipe(
      Effect.catchIf(
        (error) => error instanceof IndexCorrupt,
        (cause) =>
          Effect.fail(new VectorStoreError({ store, reason: "native", message: cause.message, cause }))
      )
    )
  })

  return { name: store, open, drop }
}

/** The stores `faiss` and `exact`: the same worker, files and contract, another binding. */
export const localVectorStore = (
  options: LocalStoreOptions
): Layer.Layer<VectorStoreProvider, never, DataFolder> =>
  Layer.effect(
    VectorStoreProvider,
    Effect.map(DataFolder, (data) => makeProvider(options, data))
  )
