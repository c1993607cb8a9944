import { assert, describe, it } from "@effect/vitest"
import { definePlugin, Indexer, keepUpToDate, SourceProvider } from "@omnirag/core/app"
import { Deferred, Effect, Layer, Queue, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { inSystem, makeWorld, type TestWorld } from "@omnirag/testkit/TestSystem"

/** A source whose file and whose events a test makes. */
const watchedWorld = Effect.gen(function* () {
  const world = yield* makeWorld
  const events = yield* Queue.unbounded<void>()
  let version = 0
  const plugin = definePlugin({
    kind: "source",
    name: "watched",
    description: "Tells of changes when a test says so",
    options: Schema.Struct({}),
    layer: () =>
      Layer.succeed(SourceProvider, {
        name: "watched",
        open: Effect.succeed({
          sources: [
            {
              name: "watched",
              location: "memory",
              revision: null,
              entries: Stream.sync(() => {
                const bytes = new TextEncoder().encode(
                  `# Version\n\nThis is the version ${version} of the text.\n`
                )
                return {
                  _tag: "File" as const,
                  path: "a.md",
                  size: bytes.length,
                  modifiedAt: version,
                  read: Effect.succeed(bytes)
                }
              }),
              changes: Stream.fromQueue(events)
            }
          ],
          missing: []
        })
      })
  })
  const changed: TestWorld = {
    ...world,
    plugins: { ...world.plugins, source: [...world.plugins.source, plugin] },
    moreSources: ["{ use: watched }"]
  }
  return {
    world: changed,
    change: Effect.suspend(() => {
      version++
      return Queue.offer(events, undefined)
    })
  }
})

/** Lets time pass until there is something to take. */
const takeInTime = <A>(queue: Queue.Queue<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    while ((yield* Queue.size(queue)) === 0) yield* pass(100)
    return yield* Queue.take(queue)
  })

/** Signals each call of the embedder, and lets it go on when the test says so. */
const steps = Effect.fnUntraced(function* (world: TestWorld) {
  const begun = yield* Queue.unbounded<string>()
  const gates = yield* Queue.unbounded<void>()
  world.probe.before = (texts) =>
    Effect.andThen(Queue.offer(begun, texts.join().replace(/\s+/g, " ")), Queue.take(gates))
  return { begun: takeInTime(begun), go: Queue.offer(gates, undefined), waiting: Queue.size(begun) }
})

/** Gives the other fibers their turns; real input and output aside. */
const settle = Effect.promise(() => new Promise<void>((done) => setTimeout(done, 0)))

/** Lets time pass in steps small enough for the timers that start other timers. */
const pass = Effect.fnUntraced(function* (milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    yield* TestClock.adjust(Math.min(100, milliseconds - passed))
    yield* settle
  }
})

/** The runs so far, from the record in the catalog. */
const runCount = Effect.map(
  Indexer.use((indexer) => indexer.runs(100)),
  (runs) => runs.length
)

/** Waits until so many runs have ended; the clock stands still meanwhile. */
const awaitRuns = Effect.fnUntraced(function* (count: number) {
  const indexer = yield* Indexer
  while ((yield* indexer.active) !== null || (yield* runCount) < count) yield* settle
})

describe("watching", () => {
  it.effect("a burst of changes leads to one run after a quiet interval", () =>
    Effect.gen(function* () {
      const { change, world } = yield* watchedWorld
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* Effect.forkScoped(keepUpToDate({ watch: true }))
          for (let n = 0; n < 5; n++) {
            yield* change
            yield* pass(400)
          }
          assert.strictEqual(yield* runCount, 0)
          yield* pass(1_000)
          yield* awaitRuns(1)
          assert.deepStrictEqual(world.probe.embedded, ["# Version\n\nThis is the version 5 of the text."])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("changes that never rest are indexed all the same", () =>
    Effect.gen(function* () {
      const { change, world } = yield* watchedWorld
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* Effect.forkScoped(keepUpToDate({ watch: true }))
          // the longest wait is twenty quiet intervals of half a second
          for (let n = 0; n < 51; n++) {
            yield* change
            yield* pass(200)
          }
          yield* awaitRuns(1)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("what changes during a run leads to one more run after it, never to a second beside it", () =>
    Effect.gen(function* () {
      const { change, world } = yield* watchedWorld
      const { begun, go, waiting } = yield* steps(world)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* Effect.forkScoped(keepUpToDate({ watch: true }))
          yield* change
          assert.include(yield* begun, "version 1")
          for (let n = 0; n < 3; n++) {
            yield* change
            yield* pass(1_000)
          }
          assert.strictEqual(yield* waiting, 0)
          yield* go
          assert.include(yield* begun, "version 4")
          yield* go
          yield* awaitRuns(2)
          yield* pass(5_000)
          assert.strictEqual(yield* runCount, 2)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a run somebody else has started is waited for", () =>
    Effect.gen(function* () {
      const { change, world } = yield* watchedWorld
      const { begun, go } = yield* steps(world)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          yield* indexer.start({})
          yield* begun
          yield* Effect.forkScoped(keepUpToDate({ watch: true }))
          yield* change
          yield* pass(3_000)
          yield* go
          yield* awaitRuns(1)
          yield* pass(1_000)
          assert.include(yield* begun, "version 1")
          yield* go
          yield* awaitRuns(2)
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("the schedule", () => {
  it.effect("runs at its times, in UTC, and a run that takes longer is not overlapped", () =>
    Effect.gen(function* () {
      const { world } = yield* watchedWorld
      const release = yield* Deferred.make<void>()
      const begun = yield* Queue.unbounded<void>()
      world.probe.before = () => Effect.andThen(Queue.offer(begun, undefined), Deferred.await(release))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* Effect.forkScoped(keepUpToDate({ watch: false }))
          yield* settle
          yield* TestClock.adjust("59 minutes")
          assert.strictEqual(yield* Queue.size(begun), 0)
          yield* TestClock.adjust("1 minute")
          yield* Queue.take(begun)
          // three times come while the first run is held
          for (let hour = 0; hour < 3; hour++) {
            yield* TestClock.adjust("1 hour")
            yield* settle
          }
          yield* Deferred.succeed(release, undefined)
          yield* awaitRuns(2)
          yield* TestClock.adjust("30 minutes")
          yield* settle
          assert.strictEqual(yield* runCount, 2)
        }),
        'indexing: { schedule: "0 * * * *" }'
      )
    }).pipe(Effect.scoped)
  )
})
