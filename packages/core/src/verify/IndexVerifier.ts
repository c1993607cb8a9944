import { Access } from "../access/Access.ts"
import { Context, Effect, Layer } from "effect"
import { type AppError, VectorStoreError } from "../domain/errors.ts"
import { compareDisk } from "./compareDisk.ts"
import { compareVectors } from "./compareVectors.ts"
import { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import type { Generation } from "../index/Generation.ts"
import { GenerationBuilder } from "../index/GenerationBuilder.ts"
import { GenerationReader } from "../index/GenerationReader.ts"
import { reconcileStore } from "../index/reconcileStore.ts"
import { type Drift, driftOf } from "./Drift.ts"
import { storeDrift } from "./storeDrift.ts"
import { Sources } from "../sources/Sources.ts"

export interface Verification {
  /** True when catalog, store and disk agree and nothing is pending. */
  readonly sound: boolean
  readonly generation: string
  /** What the catalog's own check found. */
  readonly catalog: ReadonlyArray<string>
  /** Chunks of the catalog that the store lacks, and vectors of no chunk. */
  readonly missingVectors: Drift
  readonly orphanVectors: Drift
  /** Chunks whose row in the store has another vector or other fields; not looked at while writes are pending. */
  readonly wrongVectors: Drift
  /** Files on disk whose content the index does not have, and documents whose file is gone. */
  readonly staleDocuments: Drift
  readonly goneDocuments: Drift
  /** Writes the store has not confirmed. */
  readonly pending: number
  /** Files that could not be compared, with the reason. */
  readonly unreadable: ReadonlyArray<string>
}

/** Proves that the index is what the sources imply, and repairs what is not. */
export class IndexVerifier extends Context.Service<
  IndexVerifier,
  {
    /** Compares store with catalog by id, vector and fields, and catalog with disk by content hash; changes nothing. */
    readonly verify: Effect.Effect<Verification, AppError>
    /** Writes to the store what it lacks or has wrong, and removes what it should not have. Returns the number of writes. */
    readonly repairStore: Effect.Effect<number, AppError>
  }
>()("@omnirag/core/verify/IndexVerifier") {
  static readonly layer = Layer.effect(
    IndexVerifier,
    Effect.gen(function* () {
      const access = yield* Access
      const reader = yield* GenerationReader
      const builder = yield* GenerationBuilder
      const sources = yield* Sources
      const loaders = yield* DocumentLoaders

      const usable = ({ fault, vectors }: Generation) =>
        fault === null ? Effect.succeed(vectors) : Effect.fail(fault)

      const verify = Effect.gen(function* () {
        yield* access.requireWhole
        const generation = yield* reader.live
        const { catalog } = generation
        const index = yield* usable(generation)
        const store = yield* storeDrift(catalog, index)
        const outbox = yield* catalog.outbox.count
        const wrong =
          index === null || outbox > 0 ? [] : yield* compareVectors(catalog, index, store.missingIds)
        const disk = yield* compareDisk(catalog, yield* sources.open(), loaders)
        const problems = yield* catalog.check
        const report = {
          generation: generation.id,
          catalog: problems,
          missingVectors: store.missing,
          orphanVectors: store.orphans,
          wrongVectors: driftOf(wrong),
          staleDocuments: driftOf(disk.stale),
          goneDocuments: driftOf(disk.gone),
          pending: outbox,
          unreadable: disk.unreadable
        }
        const drifted =
          report.missingVectors.count +
          report.orphanVectors.count +
          report.wrongVectors.count +
          report.staleDocuments.count +
          report.goneDocuments.count
        return {
          sound: problems.length === 0 && drifted === 0 && outbox === 0,
          ...report
        } satisfies Verification
      }).pipe(Effect.scoped, Effect.withSpan("IndexVerifier.verify"))

      const repairStore = Effect.gen(function* () {
        yield* access.requireWhole
        yield* builder.lock("repair")
        const generation = yield* reader.fresh
        const { catalog } = generation
        const index = yield* usable(generation)
        if (index === null) return 0
        const { missingIds } = yield* storeDrift(catalog, index)
        yield* catalog.outbox.enqueue(yield* compareVectors(catalog, index, missingIds))
        const written = yield* reconcileStore(catalog, index, builder.stamp(generation))
        const { missing, orphans } = yield* storeDrift(catalog, index)
        if (missing.count + orphans.count > 0) {
          return yield* new VectorStoreError({
            store: index.store.name,
            reason: "unavailable",
            message: `${missing.count} vectors are still missing and ${orphans.count} too many`,
            remedy: "rebuild"
          })
        }
        return written
      }).pipe(Effect.scoped, Effect.withSpan("IndexVerifier.repairStore"))

      return IndexVerifier.of({ verify, repairStore })
    })
  )
}
