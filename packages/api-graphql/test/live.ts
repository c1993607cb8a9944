import type { Answering } from "@omnirag/core/app"
import { Deferred, Effect, Latch, Metric, Ref, Stream } from "effect"
import { answering, hit } from "./doubles.ts"

/** A double of answering that tells when its work begins and when it is interrupted, and never ends by itself. */
export const makeEndless = Effect.gen(function* () {
  const started = yield* Latch.make()
  const interrupted = yield* Deferred.make<number>()
  const work = Effect.andThen(started.open, Effect.never).pipe(
    Effect.onInterrupt(() => Deferred.succeed(interrupted, performance.now()))
  )
  const service: Answering["Service"] = answering({
    ask: () => work,
    stream: () =>
      Stream.concat(
        Stream.make({ _tag: "Sources" as const, sources: [hit(0)], warnings: [] }),
        Stream.fromEffect(work)
      )
  })
  return { service, started, interrupted }
})

/** A double of answering that hands out numbered tokens for ever and counts those that were taken from it. */
export const makeCounting = (size: number) =>
  Effect.gen(function* () {
    const produced = yield* Ref.make(0)
    const ended = yield* Latch.make()
    const text = "x".repeat(size)
    const service: Answering["Service"] = answering({
      stream: () =>
        Stream.fromEffectRepeat(
          Effect.as(
            Ref.update(produced, (n) => n + 1),
            { _tag: "Token" as const, text }
          )
        ).pipe(Stream.ensuring(ended.open))
    })
    return { service, produced, ended }
  })

/** How many of a kind are active, as the gauge of the package says. */
export const active = (kind: string): Effect.Effect<number> =>
  Effect.map(Metric.snapshot, (metrics) => {
    const found = metrics.find(
      (metric) => metric.id === "omnirag_graphql_active" && metric.attributes?.["kind"] === kind
    )
    return found?.type === "Gauge" ? Number(found.state.value) : 0
  })

/** Waits until a figure has a value, looking again whenever the event loop has gone round. */
export const until = <A>(figure: Effect.Effect<A>, holds: (value: A) => boolean): Effect.Effect<A> =>
  figure.pipe(
    Effect.tap(() => Effect.promise(() => new Promise<void>((resolve) => void setImmediate(resolve)))),
    Effect.repeat({ until: holds }),
    Effect.timeout("20 seconds"),
    Effect.orDie
  )
