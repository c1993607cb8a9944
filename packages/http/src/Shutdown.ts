import { Context, Effect, Latch, Layer } from "effect"

/** Opens when the process begins to stop, before the HTTP server drains, so that long streams end cleanly. */
export class Shutdown extends Context.Service<Shutdown, Latch.Latch>()("@omnirag/http/Shutdown") {
  static readonly layer = Layer.effect(Shutdown, Latch.make())
  /** Build this on top of the server layer: finalizers run in reverse, so this one runs first. */
  static readonly announce = Layer.effectDiscard(
    Effect.gen(function* () {
      const latch = yield* Shutdown
      // the pause lets streams end, so that their connections are idle when the server closes
      yield* Effect.addFinalizer(() => Effect.andThen(latch.open, Effect.sleep("150 millis")))
    })
  )
}
