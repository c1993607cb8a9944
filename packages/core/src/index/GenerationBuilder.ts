import { Clock, Context, Effect, Layer, Option, Ref, type Scope } from "effect"
import type { CatalogError, IndexError, IndexLocked } from "../domain/errors.ts"
import { chunkAnalysis } from "../language/ChunkAnalysis.ts"
import { getFact, getSelection, setFact, setSelection } from "./facts.ts"
import type { Generation, GenerationOutline } from "./Generation.ts"
import { generationId, generationNumber } from "./generationId.ts"
import { GenerationPool } from "./GenerationPool.ts"
import { IndexParts } from "./IndexParts.ts"
import { nameOf } from "./nameOf.ts"

/** How a new generation begins. */
export interface CreateOptions {
  /** Copy documents and chunks, too: the chunker is the same. */
  readonly documents: boolean
  /** Begin with nothing: the live generation cannot be repaired. */
  readonly fresh?: boolean
  /** What it is to become; one that was left half-built for the same purpose is resumed. */
  readonly purpose: string
}

/** Creates generations beside the live one and switches to them. Call with the write lock held, `building` aside. */
export class GenerationBuilder extends Context.Service<
  GenerationBuilder,
  {
    /** Takes the one right to write to the index until the scope ends; `what` is shown to others who want it. */
    readonly lock: (what: string) => Effect.Effect<void, IndexLocked | CatalogError, Scope.Scope>
    /** The generation under construction in any process, if there is one. */
    readonly building: Effect.Effect<GenerationOutline | null, IndexError, Scope.Scope>
    readonly open: (id: string) => Effect.Effect<Generation, IndexError, Scope.Scope>
    /** Makes the next generation, seeded from the live one; it is not used before `promote`. Removes other half-built ones. */
    readonly create: (
      options: CreateOptions
    ) => Effect.Effect<{ readonly id: string; readonly resumed: boolean }, IndexError>
    /** Switches questions to this generation, atomically, and removes the old one once nobody reads it. */
    readonly promote: (id: string) => Effect.Effect<void, IndexError>
    /** Gives up a generation under construction. */
    readonly discard: (id: string) => Effect.Effect<void, IndexError>
    /** Opens the generation again for questions that begin from now on: its embedder has been fitted, its store rebuilt. */
    readonly reopen: (id: string) => Effect.Effect<void, IndexError>
    /** Tells other processes that the vectors of this generation have changed. */
    readonly stamp: (generation: Generation) => Effect.Effect<void, IndexError>
    /** Removes every generation but the live one. */
    readonly sweep: Effect.Effect<void, IndexError>
  }
>()("@omnirag/core/index/GenerationBuilder") {
  static readonly layer = Layer.effect(
    GenerationBuilder,
    Effect.gen(function* () {
      const { catalogs, embedders, registry } = yield* IndexParts
      const pool = yield* GenerationPool
      const { current, locate, open, refOf, remove, retired, switching, tick, use } = pool
      const built = yield* Ref.make<string | null>(null)

      const openToRead = (id: string) =>
        Effect.flatMap(refOf(id), (ref) =>
          Effect.map(catalogs.open(ref, { analysis: chunkAnalysis, readOnly: true }), (catalog) => ({
            ref,
            catalog
          }))
        )

      const building = Effect.gen(function* () {
        const own = yield* Ref.get(built)
        if (own !== null) return yield* open(own)
        const found = yield* registry.live
        const next = (yield* registry.list).at(-1)
        if (next === undefined || Option.isNone(found) || next <= found.value) return null
        return yield* Effect.gen(function* () {
          const { catalog } = yield* openToRead(next)
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
            const { catalog, ref } = yield* openToRead(id)
            return (yield* getFact(catalog, "id")) === nameOf(ref) ? yield* getFact(catalog, "purpose") : null
          })
        ).pipe(Effect.orElseSucceed(() => null))

      /** Writes down what a new generation is to become; its name is written last. */
      const initialise = Effect.fnUntraced(function* (id: string, options: CreateOptions) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const catalog = yield* catalogs.open(yield* refOf(id), { analysis: chunkAnalysis })
            yield* setSelection(catalog, embedders.configured)
            yield* setFact(catalog, "purpose", options.purpose)
            // the documents are here, their vectors are not
            if (options.documents) yield* setFact(catalog, "embedder", "")
          })
        )
        yield* pool.name(id)
      })

      /** A number is never used again: readers may still hold the generation that had it. */
      const nextId = Effect.fnUntraced(function* (from: string | null) {
        const used = [...(yield* registry.list), ...retired, from ?? generationId(0)]
        return generationId(Math.max(...used.map(generationNumber)) + 1)
      })

      const create = Effect.fn("GenerationBuilder.create")(function* (options: CreateOptions) {
        const fresh = options.fresh === true
        const from = Option.getOrNull(yield* fresh ? Effect.option(locate) : Effect.asSome(locate))
        const others = (yield* registry.list).filter((id) => id !== from)
        const purposes = yield* Effect.forEach(others, purposeOf)
        const halfBuilt = others.find((_, index) => purposes[index] === options.purpose)
        const resumed = !fresh && halfBuilt !== undefined
        // without a live generation nobody knows which one the operator wants back: all stay until the new one is there
        if (from !== null) {
          yield* Effect.forEach(
            others.filter((id) => !resumed || id !== halfBuilt),
            remove,
            { discard: true }
          )
        }
        if (resumed) {
          yield* Ref.set(built, halfBuilt)
          return { id: halfBuilt, resumed }
        }
        const id = yield* nextId(from)
        yield* registry.add(id)
        if (!fresh && from !== null)
          yield* catalogs.seed(yield* refOf(id), { from: yield* refOf(from), documents: options.documents })
        yield* initialise(id, options)
        yield* Ref.set(built, id)
        return { id, resumed }
      })

      const promote = Effect.fn("GenerationBuilder.promote")(
        function* (id: string) {
          const before = yield* registry.list
          yield* registry.promote(id)
          yield* use(id)
          yield* Effect.scoped(Effect.flatMap(open(id), ({ catalog }) => setFact(catalog, "purpose", "")))
          yield* Ref.set(built, null)
          // the switch is made; what is left is tried again by the next run
          yield* Effect.forEach(
            before.filter((old) => old !== id),
            (old) =>
              remove(old).pipe(
                Effect.catch((error) =>
                  Effect.logWarning(`${old}, no longer in use, could not be removed: ${error.message}`)
                )
              ),
            { discard: true }
          )
        },
        (effect) => switching(Effect.uninterruptible(effect))
      )

      const discard = Effect.fn("GenerationBuilder.discard")(function* (id: string) {
        yield* Ref.set(built, null)
        yield* remove(id)
      })

      const reopen = (id: string) =>
        switching(
          Effect.flatMap(Ref.get(current), (handle) => (handle?.id === id ? use(id) : pool.forget(id)))
        )

      const stamp = Effect.fnUntraced(function* (generation: Generation) {
        const now = yield* Clock.currentTimeMillis
        const value = `${process.pid}-${now}-${yield* tick}`
        yield* setFact(generation.catalog, "stamp", value)
        yield* Ref.update(current, (handle) =>
          handle?.id === generation.id ? { ...handle, stamp: value } : handle
        )
      })

      const sweep = Effect.gen(function* () {
        const id = yield* locate
        const left = (yield* registry.list).filter((name) => name !== id)
        yield* Effect.forEach(left, remove, { discard: true })
      })

      return GenerationBuilder.of({
        lock: (what) => registry.lock(`process ${process.pid} (${what})`),
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
