import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type CollectionSpec, type VectorStore, VectorStoreProvider } from "../ports/VectorStoreProvider.ts"

/** What the suite must know of a store. */
export interface VectorStoreConformance<E> {
  readonly layer: Layer.Layer<VectorStoreProvider, E>
  /** A fresh folder; the suite makes a collection in it for each test. */
  readonly folder: string
  /** Whether a collection outlives its scope after `flush`. */
  readonly persistent: boolean
  /** Rows of the large test; fewer for a store over a slow wire. Default 10,000. */
  readonly rows?: number
  /** The share of the true hits that the large test must find; 1 for exact stores. Default 1. */
  readonly recall?: number
  /** How far a score may lie from the true cosine. Default 1e-6. */
  readonly tolerance?: number
  /** Why the suite cannot run here; the tests are then skipped under this text. */
  readonly skip?: string | undefined
}

/** What the parts of the suite share. */
export interface VectorStoreHarness {
  /** A collection no other test uses. */
  readonly fresh: (dimensions: number) => CollectionSpec
  /** A test on an empty collection, which is dropped afterwards. */
  readonly test: <E>(
    title: string,
    dimensions: number,
    body: (store: VectorStore) => Effect.Effect<void, E>
  ) => void
  /** Compares ids exactly and scores within the tolerance. */
  readonly scored: (
    hits: ReadonlyArray<{ readonly id: string; readonly score: number }>,
    expected: ReadonlyArray<readonly [string, number]>
  ) => void
}

export const vectorStoreHarness = <E>(options: VectorStoreConformance<E>): VectorStoreHarness => {
  const { folder, layer } = options
  const tolerance = options.tolerance ?? 1e-6
  let number = 0
  const fresh = (dimensions: number) => ({ collection: `conformance_${++number}`, folder, dimensions })

  const test: VectorStoreHarness["test"] = (title, dimensions, body) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const provider = yield* VectorStoreProvider
        const spec = fresh(dimensions)
        yield* Effect.scoped(Effect.flatMap(provider.open(spec), body))
        yield* provider.drop(spec)
      }).pipe(Effect.provide(layer))
    )

  const scored: VectorStoreHarness["scored"] = (hits, expected) => {
    assert.deepStrictEqual(
      hits.map((hit) => hit.id),
      expected.map(([id]) => id)
    )
    for (const [i, [, score]] of expected.entries())
      assert.closeTo(hits[i]?.score ?? Number.NaN, score, tolerance)
  }

  return { fresh, test, scored }
}
