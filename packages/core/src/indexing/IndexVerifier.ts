import { Context, Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { documentId } from "../domain/Document.ts"
import { type AppError, VectorStoreError } from "../domain/errors.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { Source, SourceFile } from "../ports/SourceProvider.ts"
import { applyOutbox } from "./applyOutbox.ts"
import { DocumentLoaders } from "./DocumentLoaders.ts"
import type { Generation } from "./Generation.ts"
import { Generations } from "./Generations.ts"
import { Sources } from "./Sources.ts"

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
  /** Files on disk whose content the index does not have, and documents whose file is gone. */
  readonly staleDocuments: Drift
  readonly goneDocuments: Drift
  /** Writes the store has not confirmed. */
  readonly pending: number
  /** Files that could not be compared, with the reason. */
  readonly unreadable: ReadonlyArray<string>
}

const drift = (ids: ReadonlyArray<string>): Drift => ({ count: ids.length, first: ids.slice(0, listed) })

/** What is in `left` and not in `right`; both sorted. */
const without = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(right)
  return left.filter((id) => !known.has(id))
}

/** Proves that the index is what the sources imply, and mends what is not. */
export class IndexVerifier extends Context.Service<
  IndexVerifier,
  {
    /** Compares store with catalog by id, and catalog with disk by content hash; changes nothing. */
    readonly verify: Effect.Effect<Verification, AppError>
    /** Writes to the store what it lacks and removes what it should not have. Returns the number of writes. */
    readonly repairStore: Effect.Effect<number, AppError>
  }
>()("@omnirag/core/indexing/IndexVerifier") {
  static readonly layer = Layer.effect(
    IndexVerifier,
    Effect.gen(function* () {
      const generations = yield* Generations
      const catalogs = yield* CatalogProvider
      const sources = yield* Sources
      const loaders = yield* DocumentLoaders

      const compareStore = Effect.fnUntraced(function* ({ catalog, vectors, fault }: Generation) {
        if (fault !== null) return yield* fault
        const chunkIds = yield* catalog.chunkIds
        const storeIds = vectors === null ? [] : yield* vectors.store.ids
        return { missing: without(chunkIds, storeIds), orphans: without(storeIds, chunkIds) }
      })

      const compareSource = Effect.fnUntraced(function* ({ catalog }: Generation, source: Source) {
        const known = new Map(yield* catalog.fileStates(source.name))
        const stale: Array<string> = []
        const unreadable: Array<string> = []
        const compare = Effect.fnUntraced(function* (file: SourceFile) {
          const id = documentId(source.name, file.path)
          const before = known.get(file.path)
          known.delete(file.path)
          const bytes = yield* Effect.result(file.read)
          if (bytes._tag === "Failure") {
            unreadable.push(`${id}: ${bytes.failure.reason}`)
            return
          }
          const hash = createHash("sha256").update(bytes.success).digest("hex")
          if (hash === before?.contentHash) return
          // a file that loaders refuse is rightly not in the index
          const loaded = yield* Effect.result(
            loaders.load({ source: source.name, path: file.path, bytes: bytes.success })
          )
          if (loaded._tag === "Success" || before !== undefined) stale.push(id)
        })
        yield* Stream.runForEach(source.entries, (entry) =>
          entry._tag === "File" && loaders.mediaTypeOf(entry.path) !== undefined
            ? compare(entry)
            : Effect.void
        )
        return { stale, unreadable, gone: Array.from(known.keys(), (path) => documentId(source.name, path)) }
      })

      const verify = Effect.gen(function* () {
        const generation = yield* generations.live
        const store = yield* compareStore(generation)
        const opened = yield* sources.open()
        const disk = yield* Effect.forEach(opened.sources, (source) => compareSource(generation, source))
        const { outbox } = yield* generation.catalog.counts
        const problems = yield* generation.catalog.check
        const report = {
          generation: generation.id,
          catalog: problems,
          missingVectors: drift(store.missing),
          orphanVectors: drift(store.orphans),
          staleDocuments: drift(disk.flatMap(({ stale }) => stale)),
          goneDocuments: drift(disk.flatMap(({ gone }) => gone)),
          pending: outbox,
          unreadable: disk.flatMap(({ unreadable }) => unreadable)
        }
        const drifted =
          report.missingVectors.count +
          report.orphanVectors.count +
          report.staleDocuments.count +
          report.goneDocuments.count
        return {
          sound: problems.length === 0 && drifted === 0 && outbox === 0,
          ...report
        } satisfies Verification
      }).pipe(Effect.scoped, Effect.withSpan("IndexVerifier.verify"))

      const repairStore = Effect.gen(function* () {
        yield* catalogs.lock(generations.folder, `process ${process.pid} (repair)`)
        const generation = yield* generations.live
        const { missing, orphans } = yield* compareStore(generation)
        yield* generation.catalog.enqueue([...missing, ...orphans])
        if (generation.vectors === null) return 0
        const written = yield* applyOutbox(generation.catalog, generation.vectors)
        yield* generations.stamp(generation)
        const after = yield* compareStore(generation)
        if (after.missing.length + after.orphans.length > 0) {
          return yield* new VectorStoreError({
            store: generation.vectors.store.name,
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
