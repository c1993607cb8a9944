import { Clock, Context, Effect, Exit, Layer, Option, RcMap, Ref, Scope, Semaphore } from "effect"
import type { CatalogError, IndexError, VectorStoreError } from "../domain/errors.ts"
import { chunkAnalysis } from "../language/ChunkAnalysis.ts"
import type { GenerationRef } from "../ports/GenerationRef.ts"
import { setFact } from "./facts.ts"
import type { Generation } from "./Generation.ts"
import { generationId } from "./generationId.ts"
import { IndexParts } from "./IndexParts.ts"
import { nameOf } from "./nameOf.ts"
import { openGeneration } from "./openGeneration.ts"

/** The open generation that questions use, and the state it had when it was opened. */
export interface Handle {
  readonly id: string
  readonly epoch: number
  readonly stamp: string | null
  /** When it was last compared with what other processes may have changed; milliseconds since 1970-01-01 UTC. */
  readonly checkedAt: number
  /** Keeps it open between questions. */
  readonly pin: Scope.Closeable
}

const keyOf = ({ id, epoch }: Pick<Handle, "id" | "epoch">): string => `${id}@${epoch}`

/**
 * The generations this process has open, shared by the one who reads and the one who builds: a generation is opened once
 * for all, closed when nobody uses it, and removed, once it is out of use, when its last reader has left.
 */
export class GenerationPool extends Context.Service<
  GenerationPool,
  {
    readonly refOf: (id: string) => Effect.Effect<GenerationRef, CatalogError>
    /** The id of the live generation; the first one is made where there is none. */
    readonly locate: Effect.Effect<string, IndexError>
    /** The handle that questions use; null before the first. */
    readonly current: Ref.Ref<Handle | null>
    /** The generation of a handle, open until the scope ends. */
    readonly get: (handle: Pick<Handle, "id" | "epoch">) => Effect.Effect<Generation, IndexError, Scope.Scope>
    /** A generation by id: the one that questions use, or one that is being built. */
    readonly open: (id: string) => Effect.Effect<Generation, IndexError, Scope.Scope>
    /** Opens a generation anew for questions and keeps it open; the one before closes when its readers are done. */
    readonly use: (id: string) => Effect.Effect<void, IndexError>
    /** Closes an unused generation, so that the next `open` reads it again. */
    readonly forget: (id: string) => Effect.Effect<void>
    /** Writes down what a new generation is: until then it counts as not there. */
    readonly name: (id: string) => Effect.Effect<void, IndexError>
    /** Removes a generation, at once or when its last reader has left. */
    readonly remove: (id: string) => Effect.Effect<void, CatalogError | VectorStoreError>
    /** Ids that are out of use and may still be read. */
    readonly retired: ReadonlySet<string>
    /** A number that no other call of this process gets. */
    readonly tick: Effect.Effect<number>
    /** One switch of generations at a time. */
    readonly switching: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@omnirag/core/index/GenerationPool") {
  static readonly layer = Layer.effect(
    GenerationPool,
    Effect.gen(function* () {
      const parts = yield* IndexParts
      const { catalogs, registry, stores } = parts
      const layerScope = yield* Effect.scope
      const refOf = (id: string) => Effect.map(registry.index, (index) => ({ index, id }))

      const removeNow = Effect.fnUntraced(function* (id: string) {
        yield* stores.drop(yield* refOf(id))
        yield* registry.remove(id)
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
              return left === 0 && retired.has(id) ? Effect.ignore(removeNow(id)) : Effect.void
            })
        )
      const remove = (id: string) =>
        Effect.suspend(() => {
          retired.add(id)
          return (openCount.get(id) ?? 0) === 0 ? removeNow(id) : Effect.void
        })

      // a handle is keyed by id and epoch: a new epoch opens the generation anew while older readers finish
      const handles = yield* RcMap.make({
        lookup: (key: string) => {
          const id = key.slice(0, key.indexOf("@"))
          // entered first, so left last: when the catalog and the store are closed
          return Effect.andThen(enter(id), openGeneration(parts, id))
        }
      })
      const ticks = yield* Ref.make(0)
      const tick = Ref.updateAndGet(ticks, (n) => n + 1)
      const current = yield* Ref.make<Handle | null>(null)
      const semaphore = yield* Semaphore.make(1)

      const get = (handle: Pick<Handle, "id" | "epoch">) => RcMap.get(handles, keyOf(handle))

      const open = Effect.fnUntraced(function* (id: string) {
        const handle = yield* Ref.get(current)
        return yield* get(handle?.id === id ? handle : { id, epoch: 0 })
      })

      const use = Effect.fnUntraced(function* (id: string) {
        const next = { id, epoch: yield* tick }
        const pin = yield* Scope.fork(layerScope)
        const { stamp } = yield* get(next).pipe(
          Scope.provide(pin),
          Effect.onError(() => Scope.close(pin, Exit.void))
        )
        const checkedAt = yield* Clock.currentTimeMillis
        const before = yield* Ref.getAndSet(current, { ...next, stamp, checkedAt, pin })
        if (before !== null) yield* Scope.close(before.pin, Exit.void)
      }, Effect.uninterruptible)

      const name = Effect.fnUntraced(function* (id: string) {
        const ref = yield* refOf(id)
        const catalog = yield* catalogs.open(ref, { analysis: chunkAnalysis })
        yield* setFact(catalog, "id", nameOf(ref))
      }, Effect.scoped)

      const locate = Effect.gen(function* () {
        const found = yield* registry.live
        if (Option.isSome(found)) return found.value
        const id = generationId(1)
        yield* registry.add(id)
        yield* name(id)
        yield* registry.promote(id)
        return id
      })

      return GenerationPool.of({
        refOf,
        locate,
        current,
        get,
        open,
        use,
        forget: (id) => RcMap.invalidate(handles, keyOf({ id, epoch: 0 })),
        name,
        remove,
        retired,
        tick,
        switching: semaphore.withPermits(1)
      })
    })
  )
}
