import { Context, Effect, Layer } from "effect"
import type { Filter } from "../domain/Filter.ts"
import type { Caller } from "./Caller.ts"

/** What a caller may do besides reading: change single documents; run, cancel and look at the indexer. */
export type Action = "write" | "operate"

/** Decides what a caller sees and may do. Use cases enforce what it decides; nothing else does. */
export class AccessPolicy extends Context.Service<
  AccessPolicy,
  {
    /**
     * The documents a caller sees, as a filter on fields of documents (not page, intent, confidence); null for all of
     * them. What it does not hold for is, for this caller, not there.
     */
    readonly visible: (caller: Caller) => Effect.Effect<Filter | null>
    /** False: the action fails with `Forbidden`. */
    readonly permits: (caller: Caller, action: Action) => Effect.Effect<boolean>
  }
>()("@omnirag/core/access/AccessPolicy") {
  /** Everybody sees everything and may do everything. */
  static readonly allowAll = Layer.succeed(AccessPolicy, {
    visible: () => Effect.succeed(null),
    permits: () => Effect.succeed(true)
  })
}
