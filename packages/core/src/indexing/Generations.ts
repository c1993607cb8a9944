import {
  Clock,
  Context,
  Effect,
  Exit,
  FileSystem,
  Layer,
  Option,
  Path,
  RcMap,
  Ref,
  Scope,
  Semaphore
} from "effect"
import { AppConfig, type PluginSelection } from "../config/OmniragConfig.ts"
import { CatalogError, EmbeddingError, type IndexError, ModelChanged } from "../domain/errors.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { Embedders } from "./Embedders.ts"
import {
  type Generation,
  getFact,
  getSelection,
  setFact,
  setSelection,
  type VectorIndex
} from "./Generation.ts"

/** How long a reader may go on with an index that another process has changed, in milliseconds. */
const stalenessCheckInterval = 500

const folderName = (number: number): string => `g-${String(number).padStart(6, "0")}`
const numberOf = (id: string): number => Number(id.slice(2))
const isGeneration = (name: string): boolean => /^g-\d+$/.test(name)

/** Opens, creates and switches the generations of the index. */
export class Generations extends Context.Service<
  Generations,
  {
    /** The folder that holds all generations. */
    readonly folder: string
    /** The generation queries use, kept open until the scope ends. */
    readonly live: Effect.Effect<Generation, IndexError, Scope.Scope>
    /** The id of the generation under construction, if any. */
    readonly building: Effect.Effect<string | null>
    readonly open: (id: string) => Effect.Effect<Generation, IndexError, Scope.Scope>
    /** Makes the next generation, seeded from the live one; it is not used before `promote`. */
    readonly create: (options: {
      /** Copy documents and chunks, too: the chunker is the same. */
      readonly documents: boolean
      /** Begin with nothing: the live generation is beyond repair. */
      readonly fresh?: boolean
    }) => Effect.Effect<string, IndexError>
    /** Switches queries to this generation, atomically, and removes the old one once nobody reads it. */
    readonly promote: (id: string) => Effect.Effect<void, IndexError>
    /** Gives up a generation under construction. */
    readonly discard: (id: string) => Effect.Effect<void, IndexError>
    /** Opens the generation anew for queries that begin from now on: its embedder has been fitted, its store rebuilt. */
    readonly reopen: (id: string) => Effect.Effect<void, IndexError>
    /** Tells other processes that the vectors of this generation have changed. */
    readonly stamp: (generation: Generation) => Effect.Effect<void, IndexError>
    /** Removes what a process that died has left half-built. Call with the write lock held. */
    readonly sweep: Effect.Effect<void, IndexError>
  }
>()("@omnirag/core/indexing/Generations") {
  static readonly layer = Layer.effect(
    Generations,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const catalogs = yield* CatalogProvider
      const stores = yield* VectorStoreProvider
      const embedders = yield* Embedders
      const root = path.resolve(config.data)
      const pointer = path.join(root, "CURRENT")

      const fileFault = (operation: string) =>
        Effect.mapError(
          (cause: { readonly message: string }) =>
            new CatalogError({
              operation,
              message: `the data folder cannot be used: ${cause.message}`,
              cause
            })
        )
      const folderOf = (id: string) => path.join(root, id)
      const specOf = (id: string, dimensions: number) => ({
        collection: `omnirag-${id}`,
        folder: folderOf(id),
        dimensions
      })

      const readPointer = fs.readFileString(pointer).pipe(
        Effect.map((text) => text.trim()),
        Effect.map((id) => (isGeneration(id) ? Option.some(id) : Option.none<string>())),
        Effect.catchIf(
          (error) => error.reason._tag === "NotFound",
          () => Effect.succeed(Option.none<string>())
        ),
        fileFault("read CURRENT")
      )

      const writePointer = Effect.fnUntraced(function* (id: string) {
        const temporary = `${pointer}.new`
        yield* Effect.scoped(
          Effect.gen(function* () {
            const file = yield* fs.open(temporary, { flag: "w" })
            yield* file.writeAll(new TextEncoder().encode(`${id}\n`))
            yield* file.sync
          })
        )
        yield* fs.rename(temporary, pointer)
      }, fileFault("write CURRENT"))

      const providerOf = (selection: PluginSelection) =>
        embedders.provider(selection).pipe(
          Effect.mapError(
            (error) =>
              new EmbeddingError({
                embedder: selection.use,
                message: error.message,
                retryable: false,
                cause: error
              })
          )
        )

      const remove = Effect.fnUntraced(function* (id: string) {
        yield* stores.drop(specOf(id, 1))
        yield* fs
          .remove(folderOf(id), { recursive: true, force: true })
          .pipe(fileFault("remove a generation"))
      })

      const openVectors = Effect.fnUntraced(function* (
        id: string,
        selection: PluginSelection,
        indexed: string | null
      ) {
        const provider = yield* providerOf(selection)
        const loaded = yield* provider.load(path.join(folderOf(id), "embedder")).pipe(
          Effect.map((embedder) => ({ embedder: Option.getOrNull(embedder), fault: null })),
          Effect.catchTag(["IndexCorrupt", "EmbeddingError"], (fault) =>
            Effect.succeed({ embedder: null, fault })
          )
        )
        const { embedder } = loaded
        if (embedder === null) return { provider, vectors: null, fault: loaded.fault }
        if (indexed !== null && indexed !== "" && indexed !== embedder.fingerprint) {
          const fault = new ModelChanged({ indexed, configured: embedder.fingerprint })
          return { provider, vectors: null, fault }
        }
        return yield* stores.open(specOf(id, embedder.dimensions)).pipe(
          Effect.map((store) => ({
            provider,
            vectors: { embedder, store } satisfies VectorIndex,
            fault: null
          })),
          Effect.catchTag("IndexCorrupt", (fault) => Effect.succeed({ provider, vectors: null, fault }))
        )
      })

      const retired = new Set<string>()

      const openGeneration = Effect.fn("Generations.open")(function* (id: string) {
        const folder = folderOf(id)
        // registered first, so it runs last: when the catalog and the store are closed
        yield* Effect.addFinalizer(() => (retired.has(id) ? Effect.ignore(remove(id)) : Effect.void))
        yield* fs.makeDirectory(folder, { recursive: true }).pipe(fileFault("create the generation's folder"))
        const catalog = yield* catalogs.open(folder)
        const selection = Option.getOrElse(yield* getSelection(catalog), () => embedders.configured)
        const { provider, vectors, fault } = yield* openVectors(
          id,
          selection,
          yield* getFact(catalog, "embedder")
        )
        const generation: Generation = {
          id,
          folder,
          catalog,
          embedderProvider: provider,
          selection,
          vectors,
          fault
        }
        return generation
      })

      yield* fs.makeDirectory(root, { recursive: true }).pipe(fileFault("create the data folder"))
      const first = yield* readPointer
      if (Option.isNone(first)) yield* writePointer(folderName(1))

      // a handle is keyed by id and epoch: a new epoch opens the generation anew while older readers finish
      const handles = yield* RcMap.make({
        lookup: (key: string) => openGeneration(key.slice(0, key.indexOf("@")))
      })
      const epoch = yield* Ref.make(0)
      const current = yield* Ref.make({
        id: Option.getOrElse(first, () => folderName(1)),
        epoch: 0,
        stamp: null as string | null,
        checkedAt: 0
      })
      const building = yield* Ref.make<string | null>(null)
      const switching = yield* Semaphore.make(1)
      const layerScope = yield* Effect.scope
      const pin = yield* Ref.make<Scope.Closeable | null>(null)
      const keyOf = (handle: { readonly id: string; readonly epoch: number }) =>
        `${handle.id}@${handle.epoch}`

      /** Keeps one reference to the live handle, so that it is not closed between queries. */
      const pinHandle = Effect.fnUntraced(function* (handle: {
        readonly id: string
        readonly epoch: number
      }) {
        const scope = yield* Scope.fork(layerScope)
        const generation = yield* RcMap.get(handles, keyOf(handle)).pipe(
          Scope.provide(scope),
          Effect.onError(() => Scope.close(scope, Exit.void))
        )
        const before = yield* Ref.getAndSet(pin, scope)
        if (before !== null) yield* Scope.close(before, Exit.void)
        return generation
      })

      const use = Effect.fnUntraced(function* (id: string) {
        const next = { id, epoch: yield* Ref.updateAndGet(epoch, (n) => n + 1) }
        const generation = yield* pinHandle(next)
        yield* Ref.set(current, {
          ...next,
          stamp: yield* getFact(generation.catalog, "stamp"),
          checkedAt: yield* Clock.currentTimeMillis
        })
      })

      /** Follows a switch or a write that another process has made, and an embedder that has come back. */
      const follow = switching.withPermits(1)(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const before = yield* Ref.get(current)
          const pinned = yield* Ref.get(pin)
          if (pinned === null) return yield* use(before.id)
          if (now - before.checkedAt < stalenessCheckInterval) return
          const id = Option.getOrElse(yield* readPointer, () => before.id)
          if (id !== before.id) return yield* use(id)
          const { stamp, unreachable } = yield* Effect.scoped(
            Effect.gen(function* () {
              const { catalog, fault } = yield* RcMap.get(handles, keyOf(before))
              return {
                stamp: yield* getFact(catalog, "stamp"),
                unreachable: fault?._tag === "EmbeddingError"
              }
            })
          )
          // an embedder that could not be reached may be there again
          if (stamp !== before.stamp || unreachable) return yield* use(id)
          yield* Ref.update(current, (state) => ({ ...state, checkedAt: now }))
        })
      )

      const live = Effect.gen(function* () {
        yield* follow
        return yield* RcMap.get(handles, keyOf(yield* Ref.get(current)))
      })

      const open = Effect.fnUntraced(function* (id: string) {
        const state = yield* Ref.get(current)
        return yield* RcMap.get(handles, state.id === id ? keyOf(state) : `${id}@0`)
      })

      const generationsOnDisk = fs.readDirectory(root).pipe(
        Effect.map((names) => names.filter(isGeneration)),
        fileFault("list generations")
      )

      const create = Effect.fn("Generations.create")(function* (options: {
        readonly documents: boolean
        readonly fresh?: boolean
      }) {
        const { id: from } = yield* Ref.get(current)
        const numbers = (yield* generationsOnDisk).map(numberOf)
        const id = folderName(Math.max(numberOf(from), ...numbers) + 1)
        yield* fs
          .makeDirectory(folderOf(id), { recursive: true })
          .pipe(fileFault("create the generation's folder"))
        if (options.fresh !== true) {
          yield* catalogs.seed(folderOf(id), { from: folderOf(from), documents: options.documents })
        }
        yield* Effect.scoped(
          Effect.gen(function* () {
            const catalog = yield* catalogs.open(folderOf(id))
            yield* setSelection(catalog, embedders.configured)
            // the documents are here, their vectors are not
            if (options.documents) yield* setFact(catalog, "embedder", "")
          })
        )
        yield* Ref.set(building, id)
        return id
      })

      const promote = Effect.fn("Generations.promote")(
        function* (id: string) {
          const before = yield* Ref.get(current)
          yield* writePointer(id)
          retired.add(before.id)
          yield* use(id)
          yield* Ref.set(building, null)
        },
        (effect) => switching.withPermits(1)(Effect.uninterruptible(effect))
      )

      const discard = Effect.fn("Generations.discard")(function* (id: string) {
        yield* remove(id)
        yield* Ref.set(building, null)
      })

      const reopen = (id: string) =>
        switching.withPermits(1)(
          Effect.gen(function* () {
            const state = yield* Ref.get(current)
            yield* state.id === id ? use(id) : RcMap.invalidate(handles, `${id}@0`)
          })
        )

      const stamp = Effect.fnUntraced(function* (generation: Generation) {
        const now = yield* Clock.currentTimeMillis
        const value = `${process.pid}-${now}`
        yield* setFact(generation.catalog, "stamp", value)
        yield* Ref.update(current, (state) =>
          state.id === generation.id ? { ...state, stamp: value } : state
        )
      })

      const sweep = Effect.gen(function* () {
        const { id } = yield* Ref.get(current)
        const left = (yield* generationsOnDisk).filter((name) => name !== id)
        yield* Effect.forEach(left, remove, { discard: true })
      })

      return Generations.of({
        folder: root,
        live,
        building: Ref.get(building),
        open,
        create,
        promote,
        discard,
        reopen,
        stamp,
        sweep
      })
    })
  )
}
