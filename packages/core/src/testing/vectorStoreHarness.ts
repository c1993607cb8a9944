import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import type { InvalidInput, VectorStoreError } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import type { DataFolder } from "../ports/DataFolder.ts"
import {
  type CollectionSpec,
  maxTopK,
  type VectorStore,
  VectorStoreProvider
} from "../ports/VectorStoreProvider.ts"
import { HealthChecks } from "../plugin/HealthChecks.ts"
import { freshIndex } from "./freshIndex.ts"
import { temporaryDataFolder } from "./temporaryDataFolder.ts"
import { allIds } from "./vectorStoreIds.ts"

/** What the suite must know of a store. */
export interface VectorStoreConformance<E> {
  /** Gets a temporary `DataFolder`, the same for all tests, and `HealthChecks`. */
  readonly layer: Layer.Layer<VectorStoreProvider, E, DataFolder | HealthChecks>
  /** Whether a collection outlives its scope after `flush`. */
  readonly persistent: boolean
  /** Rows of the large test, at most 10,000; fewer for a store over a slow wire. Default 10,000. */
  readonly rows?: number
  /**
   * The share of the true hits that the large test must find. Default 1 for a store that declares exact search, .95 for
   * an approximate one. With 1 an approximate store must settle ties as an exact one does.
   */
  readonly recall?: number
  /** How far a score may lie from the true cosine. Default 1e-6. */
  readonly tolerance?: number
  /** Why the suite cannot run here; the tests are then skipped under this text. */
  readonly skip?: string | undefined
}

/** What the parts of the suite share. */
export interface VectorStoreHarness<E> {
  /** The store with the services it needs. */
  readonly layer: Layer.Layer<VectorStoreProvider, E>
  /** A collection no other test uses. */
  readonly fresh: (dimensions: number) => CollectionSpec
  /** A test on an empty collection, which is dropped afterwards. */
  readonly test: <E2>(
    title: string,
    dimensions: number,
    body: (store: VectorStore) => Effect.Effect<void, E2>
  ) => void
  /** Compares ids exactly and scores within the tolerance. */
  readonly scored: (
    hits: ReadonlyArray<{ readonly id: string; readonly score: number }>,
    expected: ReadonlyArray<readonly [string, number]>
  ) => void
  /** Whether the best rows are found always, ties settled by id: declared, or claimed by `recall: 1`. */
  readonly isExact: (store: VectorStore) => boolean
}

/** Pauses between two looks at a store that is consistent after a while, and how many there are. */
const patience = { pause: "50 millis", looks: 600 } as const

/**
 * Looks at a store until what was written is visible: once where consistency is immediate. `look` may run many times;
 * the last one decides.
 */
export const whenVisible = <A, E>(store: VectorStore, look: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  store.capabilities.consistency === "immediate"
    ? look
    : look.pipe(
        Effect.sandbox,
        Effect.retry({ schedule: Schedule.spaced(patience.pause), times: patience.looks }),
        Effect.catch((cause) => Effect.failCause(cause))
      )

/** Checks how many rows a filter holds for, as far as the store counts them exactly. */
export const counted = Effect.fnUntraced(function* (
  store: VectorStore,
  expected: number,
  where?: Filter
): Effect.fn.Return<void, VectorStoreError | InvalidInput> {
  const count = yield* store.count(where)
  if (store.capabilities.counting === "exact") assert.strictEqual(count, expected)
  else assert.isTrue(Number.isInteger(count) && count >= 0, `an estimate is a whole number, not ${count}`)
})

/** Checks which ids a collection of two or more dimensions holds: by its pages, or by a query for all rows where it lists none. */
export const held = Effect.fnUntraced(function* (
  store: VectorStore,
  expected: ReadonlyArray<string>
): Effect.fn.Return<void, VectorStoreError | InvalidInput> {
  const { capabilities, dimensions } = store
  switch (capabilities.listing) {
    case "sorted":
      assert.deepStrictEqual(yield* allIds(store), expected.toSorted())
      break
    case "unsorted":
      assert.deepStrictEqual((yield* allIds(store)).toSorted(), expected.toSorted())
      break
    case "none": {
      const vector = Float32Array.from({ length: dimensions }, (_, i) => (i === 0 ? 1 : 0))
      const hits = yield* store.query({ vector, topK: maxTopK })
      assert.deepStrictEqual(hits.map((hit) => hit.id).toSorted(), expected.toSorted())
    }
  }
})

export const vectorStoreHarness = <E>(options: VectorStoreConformance<E>): VectorStoreHarness<E> => {
  const layer = options.layer.pipe(Layer.provide([temporaryDataFolder("vectors"), HealthChecks.layer]))
  const tolerance = options.tolerance ?? 1e-6
  const index = freshIndex()
  let number = 0
  const fresh = (dimensions: number): CollectionSpec => ({
    generation: { index, id: `g-${++number}` },
    dimensions
  })

  const test: VectorStoreHarness<E>["test"] = (title, dimensions, body) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const provider = yield* VectorStoreProvider
        const spec = fresh(dimensions)
        yield* Effect.scoped(Effect.flatMap(provider.open(spec), body))
        yield* provider.drop(spec.generation)
      }).pipe(Effect.provide(layer))
    )

  const scored: VectorStoreHarness<E>["scored"] = (hits, expected) => {
    assert.deepStrictEqual(
      hits.map((hit) => hit.id),
      expected.map(([id]) => id)
    )
    for (const [i, [, score]] of expected.entries())
      assert.closeTo(hits[i]?.score ?? Number.NaN, score, tolerance)
  }

  const isExact = (store: VectorStore): boolean =>
    store.capabilities.search === "exact" || options.recall === 1

  return { fresh, isExact, layer, scored, test }
}
