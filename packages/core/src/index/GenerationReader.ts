import { Clock, Context, Effect, Layer, Option, Ref, type Scope, Stream } from "effect"
import type { IndexError } from "../domain/errors.ts"
import { getFact } from "./facts.ts"
import type { Generation } from "./Generation.ts"
import { GenerationPool } from "./GenerationPool.ts"
import { IndexParts } from "./IndexParts.ts"
import { modelChange } from "./modelChange.ts"

/** How long a reader may use an index that another process has changed, in milliseconds. */
const stalenessCheckInterval = 500

/** How often a reading is made again because another process wrote meanwhile. */
const mostRetries = 3

/** What was made of one generation; `stale` when parts of it were older than others. */
export interface Reading<A> {
  readonly value: A
  readonly stale: boolean
}

/** Gives questions the generation that answers. */
export class GenerationReader extends Context.Service<
  GenerationReader,
  {
    /** The generation that answers, kept open until the scope ends. What another process changes is seen in a moment. */
    readonly live: Effect.Effect<Generation, IndexError, Scope.Scope>
    /** The live generation as it is right now; to write to it, call with the write lock held. */
    readonly fresh: Effect.Effect<Generation, IndexError, Scope.Scope>
    /**
     * Runs `body` on one generation from its beginning to its end: everything it reads is of the same one, whatever is
     * promoted meanwhile. A stale reading is thrown away and made again from what is there now, a few times at most.
     */
    readonly read: <A, E, R>(
      body: (generation: Generation) => Effect.Effect<Reading<A>, E, R>
    ) => Effect.Effect<A, E | IndexError, Exclude<R, Scope.Scope>>
  }
>()("@omnirag/core/index/GenerationReader") {
  static readonly layer = Layer.effect(
    GenerationReader,
    Effect.gen(function* () {
      const { registry } = yield* IndexParts
      const { current, get, locate, switching, use } = yield* GenerationPool
      const layerScope = yield* Effect.scope

      /** Follows a switch or a write that another process has made, a part that has come back, a model that was replaced. */
      const follow = switching(
        Effect.gen(function* () {
          const id = yield* locate
          const before = yield* Ref.get(current)
          if (before === null || before.id !== id) return yield* use(id)
          const changed = yield* Effect.scoped(
            Effect.gen(function* () {
              const { catalog, fault, vectors } = yield* get(before)
              if (fault !== null || (yield* getFact(catalog, "stamp")) !== before.stamp) return true
              return vectors !== null && Option.isSome(yield* modelChange(vectors.embedder))
            })
          )
          if (changed) yield* use(id)
        })
      )

      const quietly = follow.pipe(
        Effect.catch((error) => Effect.logWarning(`the index in use stays: ${error.message}`))
      )

      // a registry that announces changes is listened to; the others are asked with the questions
      if (registry.changes !== undefined) {
        yield* Stream.runForEach(registry.changes, () => quietly).pipe(
          Effect.catch((error) =>
            Effect.logWarning(`changes of the index are no longer announced: ${error.message}`)
          ),
          Effect.forkIn(layerScope)
        )
      }

      const live: Effect.Effect<Generation, IndexError, Scope.Scope> = Effect.gen(function* () {
        if ((yield* Ref.get(current)) === null) yield* follow
        const now = yield* Clock.currentTimeMillis
        const { handle, due } = yield* Ref.modify(current, (state) => {
          const due = state !== null && now - state.checkedAt >= stalenessCheckInterval
          return [{ handle: state, due }, due ? { ...state, checkedAt: now } : state]
        })
        if (handle === null) return yield* Effect.die(new Error("no generation was opened"))
        // questions use the one that is open: they never wait for another process
        if (due) yield* Effect.forkIn(quietly, layerScope)
        return yield* get(handle).pipe(
          // it may have been switched away from in this very moment
          Effect.catch((error) =>
            Effect.flatMap(Ref.get(current), (state) =>
              state !== null && (state.id !== handle.id || state.epoch !== handle.epoch)
                ? live
                : Effect.fail(error)
            )
          )
        )
      })

      const fresh = Effect.andThen(follow, live)

      const read = Effect.fnUntraced(function* <A, E, R>(
        body: (generation: Generation) => Effect.Effect<Reading<A>, E, R>
      ) {
        let reading = yield* Effect.scoped(Effect.flatMap(live, body))
        for (let again = 0; reading.stale && again < mostRetries; again++)
          reading = yield* Effect.scoped(Effect.flatMap(fresh, body))
        return reading.value
      })

      return GenerationReader.of({ live, fresh, read })
    })
  )
}
