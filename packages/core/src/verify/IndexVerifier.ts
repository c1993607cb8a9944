import { Context, Effect, Layer } from "effect"
import { type AppError, VectorStoreError } from "../domain/errors.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import { compareDisk } from "./compareDisk.ts"
import { compareVectors } from "./compareVectors.ts"
import { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import type { Generation } from "../index/Generation.ts"
import { Generations } from "../index/Generations.ts"
import { compareStore, reconcileStore } from "../index/reconcileStore.ts"
import { Sources } from "../sources/Sources.ts"

/** The most ids a report lists of each kind. */
const listed = 100

/** Ids that should not be as they are: how many, and the first of them. */
export interface Drift {
  readonly count: number
  readonly first: ReadonlyArray<string>
}

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

const drift = (ids: ReadonlyArray<string>): Drift => ({ count: ids.length, first: ids.slice(0, listed) })

/** Proves that the index is what the sources imply, and mends what is not. */
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
      const generations = yield* Generations
      const catalogs = yield* CatalogProvider
      const sources = yield* Sources
      const loaders = yield* DocumentLoaders

      const usable = ({ fault, vectors }: Generation) =>
        fault === null ? Effect.succeed(vectors) : Effect.fail(fault)

      const verify = Effect.gen(function* () {
        const generation = yield* generations.live
        const { catalog } = generation
        const index = yield* usable(generation)
        const store = yield* compareStore(catalog, index?.store ?? null)
        const { outbox } = yield* catalog.counts
        const wrong = index === null || outbox > 0 ? [] : yield* compareVectors(catalog, index, store.stored)
        const disk = yield* compareDisk(catalog, yield* sources.open(), loaders)
        const problems = yield* catalog.check
        const report = {
          generation: generation.id,
          catalog: problems,
          missingVectors: drift(store.missing),
          orphanVectors: drift(store.orphans),
          wrongVectors: drift(wrong),
          staleDocuments: drift(disk.stale),
          goneDocuments: drift(disk.gone),
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
        yield* catalogs.lock(generations.folder, `process ${process.pid} (repair)`)
        const generation = yield* generations.writable
        const { catalog } = generation
        const index = yield* usable(generation)
        if (index === null) return 0
        const { stored } = yield* compareStore(catalog, index.store)
        yield* catalog.enqueue(yield* compareVectors(catalog, index, stored))
        const written = yield* reconcileStore(catalog, index, generations.stamp(generation))
        const after = yield* compareStore(catalog, index.store)
        if (after.missing.length + after.orphans.length > 0) {
          return yield* new VectorStoreError({
            store: index.store.name,
            reason: "unavailable",
            message: `${after.missing.length} vectors are still missing and ${after.orphans.length} too many; run \`omnirag index --rebuild\``
          })
        }
        return written
      }).pipe(Effect.scoped, Effect.withSpan("IndexVerifier.repairStore"))

      return IndexVerifier.of({ verify, repairStore })
    })
  )
}
