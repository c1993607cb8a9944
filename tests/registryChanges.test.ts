import { assert, describe, it } from "@effect/vitest"
import {
  ArtifactStore,
  CatalogError,
  CatalogProvider,
  definePlugin,
  GenerationReader,
  GenerationRegistry,
  selectPlugin
} from "@omnirag/core/app"
import { builtInPlugins } from "@omnirag/runtime"
import { inSystem, makeWorld, runIndex, searchPaths, type TestWorld } from "@omnirag/testkit/TestSystem"
import { Effect, Layer, Queue, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"

const toldCatalog = "catalog: { use: told }"

/** The catalog `sqlite` by the name `told`, whose registry tells of changes. */
const catalogThatTells = (changes: Stream.Stream<void, CatalogError>) =>
  definePlugin({
    kind: "catalog",
    name: "told",
    description: "Tells of changes; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.mergeAll(
        Layer.effect(CatalogProvider, CatalogProvider),
        Layer.effect(ArtifactStore, ArtifactStore),
        Layer.effect(
          GenerationRegistry,
          Effect.map(GenerationRegistry, (registry) => ({ ...registry, changes }))
        )
      ).pipe(Layer.provide(selectPlugin("catalog", builtInPlugins.catalog, { use: "sqlite", options: {} })))
  })

const withCatalog = (world: TestWorld, changes: Stream.Stream<void, CatalogError>): TestWorld => ({
  ...world,
  plugins: { ...world.plugins, catalog: [...world.plugins.catalog, catalogThatTells(changes)] }
})

/** A world with an index of one document. */
const indexed = Effect.gen(function* () {
  const world = yield* makeWorld
  world.corpus.write("old.md", "# Old\n\nThe old page is about walruses.\n")
  yield* inSystem(world, runIndex())
  return world
})

/** Another system on the same data, as another process would be, builds a generation and switches to it. */
const switchElsewhere = (world: TestWorld) =>
  Effect.gen(function* () {
    world.corpus.write("new.md", "# New\n\nThe new page is about otters.\n")
    yield* inSystem(world, runIndex({ rebuild: true }))
  })

const liveId = Effect.scoped(GenerationReader.use(({ live }) => Effect.map(live, ({ id }) => id)))

/** Asks again until another generation answers, while no time passes. */
const nextId = (before: string) =>
  Effect.repeat(Effect.andThen(Effect.yieldNow, liveId), { until: (id) => id !== before })

// the clock stands still unless a test moves it: what a reader sees, it was told or asked for
describe("a switch made by another process", () => {
  it.effect("is followed when the registry tells, without a clock", () =>
    Effect.gen(function* () {
      const world = yield* indexed
      const told = yield* Queue.unbounded<void>()
      // the stream is asked for the next change when the one before has been followed
      const listening = yield* Queue.unbounded<void>()
      const changes = Stream.fromEffectRepeat(
        Effect.andThen(Queue.offer(listening, undefined), Queue.take(told))
      )
      yield* inSystem(
        withCatalog(world, changes),
        Effect.gen(function* () {
          yield* Queue.take(listening)
          assert.strictEqual(yield* liveId, "g-000001")
          yield* switchElsewhere(world)
          assert.strictEqual(yield* liveId, "g-000001")
          yield* Queue.offer(told, undefined)
          yield* Queue.take(listening)
          assert.strictEqual(yield* liveId, "g-000002")
          assert.deepStrictEqual(yield* searchPaths("otters", { mode: "lexical" }), ["new.md"])
        }),
        toldCatalog
      )
    })
  )

  it.effect("is asked for once the interval has passed when nobody tells", () =>
    Effect.gen(function* () {
      const world = yield* indexed
      yield* inSystem(
        world,
        Effect.gen(function* () {
          assert.strictEqual(yield* liveId, "g-000001")
          yield* switchElsewhere(world)
          yield* TestClock.adjust("499 millis")
          for (let asked = 0; asked < 50; asked++)
            assert.strictEqual(yield* Effect.andThen(Effect.yieldNow, liveId), "g-000001")
          yield* TestClock.adjust("1 millis")
          // this question is still answered by the one that is open, and has the registry asked
          assert.strictEqual(yield* liveId, "g-000001")
          assert.strictEqual(yield* nextId("g-000001"), "g-000002")
          assert.deepStrictEqual(yield* searchPaths("otters", { mode: "lexical" }), ["new.md"])
        })
      )
    })
  )

  it.effect("is still asked for when the registry can no longer tell", () =>
    Effect.gen(function* () {
      const world = yield* indexed
      const broken = Stream.fail(new CatalogError({ operation: "changes", message: "the line is cut" }))
      yield* inSystem(
        withCatalog(world, broken),
        Effect.gen(function* () {
          assert.strictEqual(yield* liveId, "g-000001")
          yield* switchElsewhere(world)
          yield* TestClock.adjust("500 millis")
          assert.strictEqual(yield* liveId, "g-000001")
          assert.strictEqual(yield* nextId("g-000001"), "g-000002")
        }),
        toldCatalog
      )
    })
  )
})
