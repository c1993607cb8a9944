import { Clock, Context, Effect, Layer } from "effect"
import type { IndexError } from "../domain/errors.ts"
import { type HealthCheck, type HealthReport, isReady } from "../domain/HealthCheck.ts"
import { remedyOf } from "../domain/Remedy.ts"
import { HealthChecks } from "../plugin/HealthChecks.ts"
import type { GenerationInfo, IndexCounts, Status } from "../domain/IndexStatus.ts"
import type { PluginInfo } from "../domain/PluginInfo.ts"
import { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import { getFact } from "../index/facts.ts"
import type { GenerationOutline } from "../index/Generation.ts"
import { GenerationBuilder } from "../index/GenerationBuilder.ts"
import { GenerationReader } from "../index/GenerationReader.ts"
import { indexCounts } from "../index/indexCounts.ts"
import { countOf } from "../index/compareStore.ts"
import { Access, type View } from "../access/Access.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { Indexer } from "../run/Indexer.ts"

const reportOf = (error: { readonly message: string }): HealthReport => ({
  healthy: false,
  detail: error.message,
  remedy: remedyOf(error)
})

/** What the system is made of and whether it works. */
export class SystemStatus extends Context.Service<
  SystemStatus,
  {
    readonly status: Effect.Effect<Status, IndexError>
    readonly plugins: ReadonlyArray<PluginInfo>
    /** Asks every part that can be unreachable: the index files, the models, the stores. Never fails. */
    readonly checks: Effect.Effect<ReadonlyArray<HealthCheck>>
  }
>()("@omnirag/core/status/SystemStatus") {
  static readonly layer = (options: {
    readonly version: string
    readonly plugins: ReadonlyArray<PluginInfo>
  }) =>
    Layer.effect(
      SystemStatus,
      Effect.gen(function* () {
        const access = yield* Access
        const reader = yield* GenerationReader
        const builder = yield* GenerationBuilder
        const indexer = yield* Indexer
        const stores = yield* VectorStoreProvider
        const health = yield* HealthChecks
        const startedAt = yield* Clock.currentTimeMillis

        /** All there is, or for a caller who does not see all of it, what it sees: each chunk counts as one vector. */
        const countVisible = Effect.fnUntraced(function* (catalog: Catalog, view: View) {
          if (view.everything) return yield* indexCounts(catalog)
          const seen = yield* catalog.documents.count(view.within())
          return { ...seen, vectors: seen.chunks, outbox: 0 } satisfies IndexCounts
        })

        const describe = Effect.fnUntraced(function* (
          generation: GenerationOutline,
          live: boolean,
          view: View
        ) {
          const { catalog, vectors } = generation
          const counts = yield* countVisible(catalog, view)
          return {
            id: generation.id,
            live,
            embedder: generation.selection.use,
            embedderFingerprint: vectors?.embedder.fingerprint ?? null,
            chunkerFingerprint: yield* getFact(catalog, "chunker"),
            dimensions: vectors?.embedder.dimensions ?? null,
            vectorStore: stores.name,
            vectors: vectors === null ? 0 : view.everything ? yield* countOf(vectors.store) : counts.chunks,
            counts
          } satisfies GenerationInfo
        })

        const describeAll = Effect.scoped(
          Effect.gen(function* () {
            const view = yield* access.view
            const live = yield* describe(yield* reader.live, true, view)
            const building = yield* builder.building
            return building === null ? [live] : [live, yield* describe(building, false, view)]
          })
        ).pipe(
          // the filter of a policy is valid
          Effect.catchTag("InvalidInput", Effect.die)
        )

        const indexCheck = Effect.scoped(
          Effect.gen(function* () {
            const generation = yield* reader.live
            if (generation.fault !== null) return reportOf(generation.fault)
            const { documents, chunks } = yield* generation.catalog.documents.count(
              (yield* access.view).within()
            )
            return documents === 0
              ? ({ healthy: true, detail: "empty", remedy: "index" } satisfies HealthReport)
              : {
                  healthy: true,
                  detail: `${documents} documents, ${chunks} chunks, generation ${generation.id}`
                }
          })
        ).pipe(
          Effect.catch((error) => Effect.succeed(reportOf(error))),
          Effect.map((result): HealthCheck => ({ name: "index", optional: false, ...result }))
        )

        const checks = Effect.zipWith(indexCheck, health.run, (index, others) => [index, ...others])

        const status = Effect.gen(function* () {
          const found = yield* checks
          return {
            version: options.version,
            uptimeMs: (yield* Clock.currentTimeMillis) - startedAt,
            ready: isReady(found),
            generations: yield* describeAll,
            activeRun: yield* indexer.active,
            checks: found
          } satisfies Status
        }).pipe(Effect.withSpan("SystemStatus.status"))

        return SystemStatus.of({ status, plugins: options.plugins, checks })
      })
    )
}
