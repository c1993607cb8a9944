import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  GenerationReader,
  GenerationRegistry,
  Indexer,
  Retriever,
  selectPlugin,
  storeIds
} from "@omnirag/core/app"
import { builtInPlugins, pluginServices } from "@omnirag/runtime"
import { Deferred, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { OmniragProcess } from "@omnirag/testkit/OmniragProcess"
import {
  configOf,
  contents,
  inSystem,
  makeWorld,
  runIndex,
  searchPaths,
  type TestWorld
} from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

const external = `plugins: ["@omnirag/testkit/externalPlugins"]`

/** Runs a command line on the same data in a process of its own. */
const other = (world: TestWorld, args: ReadonlyArray<string>, more = "") =>
  Effect.promise(async () => {
    const config = join(world.folder, "omnirag.yaml")
    writeFileSync(config, configOf(world, `${external}\n${more}`))
    const child = new OmniragProcess([...args, "--config", config])
    const { code } = await child.ended
    return { code, out: child.stdout, err: child.stderr }
  })

/** The catalog that the index of a world is in. */
const sqlite = (world: TestWorld) =>
  selectPlugin("catalog", builtInPlugins.catalog, { use: "sqlite", options: {} }).pipe(
    Layer.provide(pluginServices(world)),
    Layer.provide(NodeServices.layer)
  )

/** Asks until the answer is as expected: what another process has written is taken over in the background. */
const until = <A, E, R>(ask: Effect.Effect<A, E, R>, expected: A): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    while (JSON.stringify(yield* ask) !== JSON.stringify(expected)) {
      yield* TestClock.adjust("1 second")
      yield* Effect.promise(() => new Promise((settle) => setImmediate(settle)))
    }
  })

describe("several processes on one index", () => {
  it.effect("a second writer is refused and told who holds the lock; readers are not", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(world, runIndex())
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* GenerationRegistry.use((registry) => registry.lock("process 4711 (run abc)"))
          const refused = yield* other(world, ["index"])
          assert.strictEqual(refused.code, 1)
          assert.include(refused.err, "INDEX_LOCKED")
          assert.include(refused.err, "process 4711 (run abc)")
          const found = yield* other(world, ["search", "walruses", "--json"])
          assert.strictEqual(found.code, 0, found.err)
          assert.include(found.out, "a.md")
        })
      ).pipe(Effect.provide(sqlite(world)))
      assert.strictEqual((yield* other(world, ["index"])).code, 0)
    }).pipe(Effect.scoped)
  )

  it.effect("the lock of a holder that was killed is free at once", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      for (let n = 0; n < 300; n++) world.corpus.write(`${n}.md`, section(`S${n}`, `walrus ${n}`))
      const config = join(world.folder, "omnirag.yaml")
      writeFileSync(config, configOf(world, external))
      yield* Effect.promise(async () => {
        const index = new OmniragProcess(["index", "--config", config])
        await index.said(/\d+\/\d+ files/)
        await index.stop("SIGKILL")
      })
      yield* inSystem(
        world,
        Effect.gen(function* () {
          assert.strictEqual((yield* runIndex()).status, "succeeded")
          const { chunkIds, storeIds } = yield* contents
          assert.deepStrictEqual(storeIds, chunkIds)
          assert.strictEqual(chunkIds.length, 300)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a reader goes on and soon sees what another process has written, new generations too", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const vectorPaths = Effect.map(searchPaths("otters", { mode: "vector" }), (paths) =>
            paths.toSorted()
          )
          assert.deepStrictEqual(yield* vectorPaths, ["a.md"])

          world.corpus.write("b.md", section("Beta", "otters"))
          assert.strictEqual((yield* other(world, ["index"])).code, 0)
          yield* until(vectorPaths, ["a.md", "b.md"])

          world.corpus.remove("a.md")
          const model = "embedder: { use: test, options: { model: two } }"
          assert.strictEqual((yield* other(world, ["index"], model)).code, 0)
          // the old generation's folder is gone by now: what is open goes on
          assert.include(yield* searchPaths("otters", { mode: "lexical" }), "b.md")
          const { live } = yield* GenerationReader
          yield* until(Effect.scoped(Effect.map(live, ({ id }) => id)), "g-000002")
          assert.deepStrictEqual(yield* vectorPaths, ["b.md"])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a reader whose vectors are older than the catalog takes the new ones over before it answers",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const names = Array.from({ length: 20 }, (_, n) => `f${n}.md`).toSorted()
        const write = (words: string) =>
          names.forEach((name) => world.corpus.write(name, section(name, words)))
        write("walruses")
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            const found = Effect.map(searchPaths("otters", { mode: "vector", topK: 100 }), (paths) =>
              paths.toSorted()
            )
            assert.deepStrictEqual(yield* found, names)
            write("otters")
            assert.strictEqual((yield* other(world, ["index"])).code, 0)
            // the clock stands still: nothing is due to be looked at again
            assert.deepStrictEqual(yield* found, names)
          })
        )
      }).pipe(Effect.scoped)
  )

  it.effect("status shows the generation another process builds beside the live one", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(world, runIndex())
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const held = yield* Deferred.make<void>()
          world.probe.before = () => Effect.andThen(Deferred.succeed(held, undefined), Effect.never)
          const indexer = yield* Indexer
          const { id } = yield* indexer.start({})
          yield* Deferred.await(held)
          const { code, err, out } = yield* other(world, ["status", "--json"])
          assert.strictEqual(code, 0, err)
          const { generations } = JSON.parse(out) as {
            generations: ReadonlyArray<{ id: string; live: boolean; counts: { documents: number } }>
          }
          assert.deepStrictEqual(
            generations.map(({ counts, id, live }) => [id, live, counts.documents]),
            [
              ["g-000001", true, 1],
              ["g-000002", false, 1]
            ]
          )
          yield* indexer.cancel(id)
        }),
        "embedder: { use: test, options: { model: two } }"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("verify says what has drifted and fails; repair corrects it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const { vectors } = yield* GenerationReader.use(({ live }) => live)
          if (vectors === null) return yield* Effect.die(new Error("no vectors"))
          yield* vectors.store.delete(yield* Stream.runCollect(storeIds(vectors.store)))
          yield* vectors.store.flush
        })
      )
      world.corpus.write("b.md", section("Beta", "otters"))
      const torn = yield* other(world, ["verify"])
      assert.strictEqual(torn.code, 1)
      assert.include(torn.err, "INDEX_CORRUPT")
      const repaired = yield* other(world, ["repair"])
      assert.strictEqual(repaired.code, 0, repaired.err)
      assert.match(repaired.out, /sound: g-00000\d/)
      assert.strictEqual((yield* other(world, ["verify"])).code, 0)
      world.corpus.write("b.md", section("Beta", "penguins"))
      const stale = yield* other(world, ["verify"])
      assert.strictEqual(stale.code, 1)
      assert.include(stale.out, "1 documents that differ from the disk:\n  docs/b.md")
      assert.include(stale.err, "INDEX_DRIFTED")
    }).pipe(Effect.scoped)
  )

  it.effect("a writer never takes the generation of another process for rubbish", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          assert.strictEqual((yield* other(world, ["index", "--rebuild"])).code, 0)
          world.corpus.write("b.md", section("Beta", "otters"))
          // no time has passed on this process's clock: it has not looked since
          const run = yield* runIndex()
          assert.deepInclude(run.counts, { changed: 1, unchanged: 1 })
          assert.strictEqual((yield* GenerationReader.use(({ live }) => live)).id, "g-000002")
          const { hits } = yield* Retriever.use((retriever) =>
            retriever.search({ query: "section", topK: 5 })
          )
          assert.strictEqual(hits.length, 2)
        })
      )
      assert.include((yield* other(world, ["verify"])).out, "sound: g-000002")
    }).pipe(Effect.scoped)
  )
})
