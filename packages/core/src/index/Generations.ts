import { Clock, Context, Effect, Exit, Layer, Option, RcMap, Ref, Scope, Semaphore } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import type { IndexError } from "../domain/errors.ts"
import { modelChange } from "./modelChange.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { Embedders } from "./Embedders.ts"
import { type Generation, getFact, getSelection, setFact, setSelection } from "./Generation.ts"
import { generationId, generationNumber, makeGenerationFiles } from "./generationFiles.ts"
import { collectionOf, openGeneration } from "./openGeneration.ts"

/** How long a reader may go on with an index that another process has changed, in milliseconds. */
const stalenessCheckInterval = 500

/** What is known of a generation that may still be under construction. */
export type GenerationOutline = Pick<Generation, "id" | "catalog" | "selection" | "vectors">

export interface CreateOptions {
  /** Copy documents and chunks, too: the chunker is the same. */
  readonly documents: boolean
  /** Begin with nothing: the live generation is beyond repair. */
  readonly fresh?: boolean
  /** What it is to become; one that was left half-built for the same purpose is gone on with. */
  readonly purpose: string
}

/** The open generation that queries use, and the state it had on disk when it was opened. */
interface Handle {
  readonly id: string
  readonly epoch: number
  readonly stamp: string | null
  readonly checkedAt: number
  /** Keeps it open between queries. */
  readonly pin: Scope.Closeable
}

const keyOf = ({ id, epoch }: { readonly id: string; readonly epoch: number }): string => `${id}@${epoch}`

/** Opens, creates and switches the generations of the index. */
export class Generations extends Context.Service<
  Generations,
  {
    /** The folder that holds all generations. */
    readonly folder: string
    /** The generation queries use, kept open until the scope ends. What another process changes is seen in a moment. */
    readonly live: Effect.Effect<Generation, IndexError, Scope.Scope>
    /** The live generation as it is on disk right now; to write to it, call with the write lock held. */
    readonly writable: Effect.Effect<Generation, IndexError, Scope.Scope>
    /** The generation under construction in any process, if there is one. */
    readonly building: Effect.Effect<GenerationOutline | null, IndexError, Scope.Scope>
    readonly open: (id: string) => Effect.Effect<Generation, IndexError, Scope.Scope>
    /** Makes the next generation, seeded from the live one; it is not used before `promote`. Removes other half-built ones. */
    readonly create: (
      options: CreateOptions
    ) => Effect.Effect<{ readonly id: string; readonly resumed: boolean }, IndexError>
    /** Switches queries to this generation, atomically, and removes the old one once nobody reads it. */
    readonly promote: (id: string) => Effect.Effect<void, IndexError>
    /** Gives up a generation under construction. */
    readonly discard: (id: string) => Effect.Effect<void, IndexError>
    /** Opens the generation anew for queries that begin from now on: its embedder has been fitted, its store rebuilt. */
    readonly reopen: (id: string) => Effect.Effect<void, IndexError>
    /** Tells other processes that the vectors of this generation have changed. */
    readonly stamp: (generation: Generation) => Effect.Effect<void, IndexError>
    /** Removes every generation but the live one. Call with the write lock held. */
    readonly sweep: Effect.Effect<void, IndexError>
  }
>()("@omnirag/core/index/Generations") {
  static readonly layer = Layer.effect(
    Generations,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const catalogs = yield* CatalogProvider
      const stores = yield* VectorStoreProvider
      const embedders = yield* Embedders
      const files = yield* makeGenerationFiles(config.data)
      const parts = { files, catalogs, stores, embedders }

      const remove = Effect.fnUntraced(function* (id: string) {
        yield* stores.drop(collectionOf(files, id, 1))
        yield* files.remove(id)
      })

      /** Generations no longer in use, and how often each generation is open: the last one out removes. */
      const retired = new Set<string>()
      const openCount = new Map<string, number>()
      const enter = (id: string) =>
        Effect.acquireRelease(
          Effect.sync(() => openCount.set(id, (openCount.get(id) ?? 0) + 1)),
          () =>
            Effect.suspend(() => {
              const left = (openCount.get(id) ?? 1) - 1
              openCount.set(id, left)
              return left === 0 && retired.has(id) ? Effect.ignore(remove(id)) : Effect.void
            })
        )

      // a handle is keyed by id and epoch: a new epoch opens the generation anew while older readers finish
      const handles = yield* RcMap.make({
        lookup: (key: string) => {
          const id = key.slice(0, key.indexOf("@"))
          // entered first, so left last: when the catalog and the store are closed
          return Effect.andThen(enter(id), openGeneration(parts, id))
        }
      })
      const epoch = yield* Ref.make(0)
      const current = yield* Ref.make<Handle | null>(null)
      const built = yield* Ref.make<string | null>(null)
      const switching = yield* Semaphore.make(1)
      const layerScope = yield* Effect.scope

      const removeUnlessRead = (id: string) =>
        Effect.suspend(() => {
          retired.add(id)
          return (openCount.get(id) ?? 0) === 0 ? remove(id) : Effect.void
        })

      /** Makes the catalog of a generation that is new. Its id is written last: until then it counts as not there. */
      const initialise = Effect.fnUntraced(function* (id: string, options?: CreateOptions) {
        const catalog = yield* catalogs.open(files.folderOf(id))
        if (options !== undefined) {
          yield* setSelection(catalog, embedders.configured)
          yield* setFact(catalog, "purpose", options.purpose)
          // the documents are here, their vectors are not
          if (options.documents) yield* setFact(catalog, "embedder", "")
        }
        yield* setFact(catalog, "id", files.nameOf(id))
      }, Effect.scoped)

      /** The id in `CURRENT`; the first generation is made where there is none. */
      const locate = Effect.gen(function* () {
        const found = yield* files.current
        if (Option.isSome(found)) return found.value
        const id = generationId(1)
        yield* files.make(id)
        yield* initialise(id)
        yield* files.writeCurrent(id)
        return id
      })

      /** Opens a generation for queries and keeps it open; the one before closes when its readers are done. */
      const use = Effect.fnUntraced(function* (id: string) {
        const next = { id, epoch: yield* Ref.updateAndGet(epoch, (n) => n + 1) }
        const pin = yield* Scope.fork(layerScope)
        const { stamp } = yield* RcMap.get(handles, keyOf(next)).pipe(
          Scope.provide(pin),
          Effect.onError(() => Scope.close(pin, Exit.void))
        )
        const checkedAt = yield* Clock.currentTimeMillis
        const before = yield* Ref.getAndSet(current, { ...next, stamp, checkedAt, pin })
        if (before !== null) yield* Scope.close(before.pin, Exit.void)
      }, Effect.uninterruptible)

      /** Follows a switch or a write that another process has made, a part that has come back, a model that was replaced. */
      const follow = Effect.gen(function* () {
        const id = yield* locate
        const before = yield* Ref.get(current)
        if (before === null || before.id !== id) return yield* use(id)
        const changed = yield* Effect.scoped(
          Effect.gen(function* () {
            const { catalog, fault, vectors } = yield* RcMap.get(handles, keyOf(before))
            if (fault !== null || (yield* getFact(catalog, "stamp")) !== before.stamp) return true
            return vectors !== null && Option.isSome(yield* modelChange(vectors.embedder))
          })
        )
        if (changed) yield* use(id)
      }).pipe(switching.withPermits(1))

      const followInBackground = follow.pipe(
        Effect.catch((error) => Effect.logWarning(`the index in use stays: ${error.message}`)),
        Effect.forkIn(layerScope)
      )

      const live: Effect.Effect<Generation, IndexError, Scope.Scope> = Effect.gen(function* () {
        if ((yield* Ref.get(current)) === null) yield* follow
        const now = yield* Clock.currentTimeMillis
        const { handle, due } = yield* Ref.modify(current, (state) => {
          const due = state !== null && now - state.checkedAt >= stalenessCheckInterval
          return [{ handle: state, due }, due ? { ...state, checkedAt: now } : state]
        })
        if (handle === null) return yield* Effect.die(new Error("no generation was opened"))
        // queries go on with the one that is open: they never wait for another process
        if (due) yield* followInBackground
        return yield* RcMap.get(handles, keyOf(handle)).pipe(
          // it may have been switched away from in this very moment
          Effect.catch((error) =>
            Effect.flatMap(Ref.get(current), (state) =>
              state !== null && keyOf(state) !== keyOf(handle) ? live : Effect.fail(error)
            )
          )
        )
      })

      const writable = Effect.andThen(follow, live)

      const open = Effect.fnUntraced(function* (id: string) {
        const state = yield* Ref.get(current)
        return yield* RcMap.get(handles, state?.id === id ? keyOf(state) : `${id}@0`)
      })

      const building = Effect.gen(function* () {
        const own = yield* Ref.get(built)
        if (own !== null) return yield* open(own)
        const ids = yield* files.list
        const found = yield* files.current
        const next = ids.at(-1)
        if (next === undefined || Option.isNone(found) || next <= found.value) return null
        return yield* Effect.gen(function* () {
          const catalog = yield* catalogs.open(files.folderOf(next), { readOnly: true })
          const selection = Option.getOrElse(yield* getSelection(catalog), () => embedders.configured)
          return { id: next, catalog, selection, vectors: null } satisfies GenerationOutline
        }).pipe(
          // another process has not come far with it yet
          Effect.catchTag("IndexCorrupt", () => Effect.succeed(null))
        )
      })

      const purposeOf = (id: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const catalog = yield* catalogs.open(files.folderOf(id), { readOnly: true })
            return (yield* getFact(catalog, "id")) === files.nameOf(id)
              ? yield* getFact(catalog, "purpose")
              : null
          })
        ).pipe(Effect.orElseSucceed(() => null))

      const create = Effect.fn("Generations.create")(function* (options: CreateOptions) {
        const from = Option.getOrNull(
          yield* options.fresh === true ? Effect.option(locate) : Effect.asSome(locate)
        )
        const others = (yield* files.list).filter((id) => id !== from)
        const purposes = yield* Effect.forEach(others, purposeOf)
        const halfBuilt = others.find((_, index) => purposes[index] === options.purpose)
        const resumed = options.fresh !== true && halfBuilt !== undefined
        // without a live generation nobody knows which one the operator wants back: all stay until the new one is there
        if (from !== null) {
          yield* Effect.forEach(
            others.filter((id) => !resumed || id !== halfBuilt),
            removeUnlessRead,
            { discard: true }
          )
        }
        if (resumed) {
          yield* Ref.set(built, halfBuilt)
          return { id: halfBuilt, resumed }
        }
        // a number is never used again: readers may still hold the generation that had it
        const used = [...(yield* files.list), ...retired, from ?? generationId(0)]
        const id = generationId(Math.max(...used.map(generationNumber)) + 1)
        yield* files.make(id)
        if (options.fresh !== true && from !== null) {
          yield* catalogs.seed(files.folderOf(id), {
            from: files.folderOf(from),
            documents: options.documents
          })
        }
        yield* initialise(id, options)
        yield* Ref.set(built, id)
        return { id, resumed }
      })

      const promote = Effect.fn("Generations.promote")(
        function* (id: string) {
          const before = yield* files.list
          yield* files.writeCurrent(id)
          yield* use(id)
          yield* Effect.scoped(Effect.flatMap(open(id), ({ catalog }) => setFact(catalog, "purpose", "")))
          yield* Ref.set(built, null)
          // the switch is made; what is left is tried again by the next run
          yield* Effect.forEach(
            before.filter((old) => old !== id),
            (old) =>
              removeUnlessRead(old).pipe(
                Effect.catch((error) =>
                  Effect.logWarning(`${old}, no longer in use, could not be removed: ${error.message}`)
                )
              ),
            { discard: true }
          )
        },
        (effect) => switching.withPermits(1)(Effect.uninterruptible(effect))
      )

      const discard = Effect.fn("Generations.discard")(function* (id: string) {
        yield* Ref.set(built, null)
        yield* remove(id)
      })

      const reopen = (id: string) =>
        switching.withPermits(1)(
          Effect.gen(function* () {
            const state = yield* Ref.get(current)
            yield* state?.id === id ? use(id) : RcMap.invalidate(handles, `${id}@0`)
          })
        )

      const stamp = Effect.fnUntraced(function* (generation: Generation) {
        const now = yield* Clock.currentTimeMillis
        const value = `${process.pid}-${now}-${yield* Ref.updateAndGet(epoch, (n) => n + 1)}`
        yield* setFact(generation.catalog, "stamp", value)
        yield* Ref.update(current, (state) =>
          state?.id === generation.id ? { ...state, stamp: value } : state
        )
      })

      const sweep = Effect.gen(function* () {
        const id = yield* locate
        const left = (yield* files.list).filter((name) => name !== id)
        yield* Effect.forEach(left, removeUnlessRead, { discard: true })
      })

      return Generations.of({
        folder: files.root,
        live,
        writable,
        building,
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
