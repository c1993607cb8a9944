import { assert, describe, it } from "@effect/vitest"
import { Documents, GenerationReader, GenerationBuilder, Indexer } from "@omnirag/core/app"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { readdirSync } from "node:fs"
import { builtInPlugins } from "@omnirag/runtime"
import { faultyCatalog, type Faults, faultyStore, noFaults } from "@omnirag/testkit/faultyStore"
import { unreachable } from "@omnirag/testkit/TestEmbedder"
import {
  contents,
  inSystem,
  makeWorld,
  runIndex,
  searchPaths,
  type TestWorld
} from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `n${String(n).padStart(3, "0")}`)

/** A world whose store and catalog fail on demand. */
const faultyWorld = Effect.map(makeWorld, (world): TestWorld & { readonly faults: Faults } => {
  const faults = noFaults()
  return {
    ...world,
    faults,
    plugins: {
      ...world.plugins,
      vectorStore: [...builtInPlugins.vectorStore, faultyStore(faults)],
      catalog: [...builtInPlugins.catalog, faultyCatalog(faults)]
    }
  }
})
const faulty = "vectorStore: { use: faulty }\ncatalog: { use: faulty }"

const isSound = Effect.gen(function* () {
  const { chunkIds, counts, storeIds } = yield* contents
  assert.deepStrictEqual(storeIds, chunkIds)
  assert.strictEqual(counts.outbox, 0)
})

describe("a part that fails in mid-run", () => {
  it.effect("vector store: the run is partial, what it missed waits, the next run repairs it", () =>
    Effect.gen(function* () {
      const world = yield* faultyWorld
      const { corpus, faults, probe } = world
      corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          corpus.write("b.md", section("Beta", "otters"))
          corpus.remove("a.md")
          faults.storeDown = true
          const partial = yield* runIndex()
          assert.strictEqual(partial.status, "partial")
          assert.deepStrictEqual(
            partial.failures.map(({ documentId, stage, code }) => ({ documentId, stage, code })),
            [{ documentId: "", stage: "store", code: "VECTOR_STORE_FAILED" }]
          )
          assert.strictEqual((yield* contents).counts.outbox, 2)
          // what waits is found all the same, and the document that is gone is not
          for (const mode of ["lexical", "vector", "hybrid"] as const)
            assert.deepStrictEqual(yield* searchPaths("otters", { mode }), ["b.md"])

          faults.storeDown = false
          probe.calls = 0
          const repaired = yield* runIndex()
          assert.deepInclude(repaired, { status: "succeeded" })
          assert.strictEqual(probe.calls, 0)
          yield* isSound
          assert.deepStrictEqual(yield* searchPaths("otters", { mode: "vector" }), ["b.md"])
        }),
        faulty
      )
    }).pipe(Effect.scoped)
  )

  it.effect("catalog: the document that cannot be committed keeps its old version, the others are new", () =>
    Effect.gen(function* () {
      const world = yield* faultyWorld
      const { corpus, faults, probe } = world
      const write = (words: string) =>
        ["one", "two", "three"].forEach((name) => corpus.write(`${name}.md`, section(name, words)))
      write("old text")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          write("fresh text")
          faults.commitFails = (id) => id === "docs/two.md"
          const partial = yield* runIndex()
          assert.strictEqual(partial.status, "partial")
          assert.deepStrictEqual(partial.failures, [
            { documentId: "docs/two.md", stage: "commit", code: "CATALOG_FAILED", message: "told to fail" }
          ])
          const documents = yield* Documents
          assert.strictEqual(yield* documents.text("docs/two.md"), section("two", "old text"))
          assert.strictEqual(yield* documents.text("docs/three.md"), section("three", "fresh text"))
          yield* isSound

          faults.commitFails = () => false
          probe.calls = 0
          assert.deepInclude((yield* runIndex()).counts, { changed: 1, unchanged: 2, failed: 0 })
          assert.strictEqual(yield* documents.text("docs/two.md"), section("two", "fresh text"))
          yield* isSound
        }),
        faulty
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a generation no longer in use that cannot be removed costs a warning, not the run", () =>
    Effect.gen(function* () {
      const world = yield* faultyWorld
      const { corpus, faults } = world
      corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(world, runIndex(), faulty)
      corpus.write("a.md", section("Alpha", "otters"))
      faults.dropFails = true
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const switched = yield* runIndex()
          assert.strictEqual(switched.status, "succeeded")
          assert.strictEqual((yield* GenerationReader.use(({ live }) => live)).id, "g-000002")
          corpus.write("b.md", section("Beta", "lynxes"))
          const run = yield* runIndex()
          assert.strictEqual(run.status, "succeeded")
          assert.include(run.warnings.join(), "no longer in use could not be removed")
          assert.deepStrictEqual((yield* searchPaths("otters", { mode: "vector" })).toSorted(), [
            "a.md",
            "b.md"
          ])
          faults.dropFails = false
          assert.deepStrictEqual((yield* runIndex()).warnings, [])
          yield* isSound
          assert.deepStrictEqual(
            readdirSync(world.data).filter((name) => name.startsWith("g-")),
            ["g-000002"]
          )
        }),
        `${faulty}\nchunker: { use: markdown, options: { maxLength: 1500 } }`
      )
    }).pipe(Effect.scoped)
  )

  it.effect("embedder that is away: every document is reported, and it is not asked for each", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus, probe } = world
      const names = numbered(100)
      for (const name of names) corpus.write(`${name}.md`, section(name, "walruses"))
      probe.before = () => Effect.fail(unreachable)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const partial = yield* runIndex()
          assert.strictEqual(partial.status, "partial")
          assert.deepStrictEqual(
            partial.failures.map(({ documentId }) => documentId),
            names.map((name) => `docs/${name}.md`)
          )
          assert.deepInclude(partial.counts, { failed: 100, changed: 0, embedded: 0 })
          assert.isAtMost(probe.calls, 6)
          assert.include(partial.failures[99]?.message, "not tried")

          probe.before = () => Effect.void
          assert.deepInclude((yield* runIndex()).counts, { failed: 0, changed: 100, embedded: 100 })
          yield* isSound
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("one text that cannot be embedded costs its document alone, and no text is embedded twice", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const { corpus, probe } = world
      for (const name of numbered(20)) corpus.write(`${name}.md`, section(name, "walruses"))
      probe.failOn = (text) => text.startsWith("# n007\n")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const partial = yield* runIndex()
          assert.deepStrictEqual(
            partial.failures.map(({ documentId, stage }) => [documentId, stage]),
            [["docs/n007.md", "embed"]]
          )
          assert.strictEqual(partial.counts.changed, 19)
          assert.strictEqual(probe.embedded.length, 19)
          assert.strictEqual(new Set(probe.embedded).size, 19)
        })
      )
    }).pipe(Effect.scoped)
  )
})

/** Lets the embedder finish some calls, then holds it; tells when it is held. */
const holdAfter = (world: TestWorld, calls: number) =>
  Effect.map(Deferred.make<void>(), (held) => {
    world.probe.before = () =>
      world.probe.calls <= calls
        ? Effect.void
        : Effect.andThen(Deferred.succeed(held, undefined), Effect.never)
    return Deferred.await(held)
  })

describe("cancelling", () => {
  for (const how of ["cancel", "interruption of run"] as const) {
    it.effect(`${how}: what is committed stays, and the next run embeds nothing twice`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        const names = numbered(60)
        for (const name of names) world.corpus.write(`${name}.md`, section(name, `walruses of ${name}`))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            const indexer = yield* Indexer
            const held = yield* holdAfter(world, 3)
            if (how === "cancel") {
              const { id } = yield* indexer.start({})
              yield* held
              const last = yield* Effect.forkChild(Stream.runLast(indexer.progress(id)), {
                startImmediately: true
              })
              assert.deepInclude(yield* indexer.cancel(id), { id, status: "cancelled" })
              const event = yield* Fiber.join(last)
              assert.strictEqual(event._tag === "Some" ? event.value.status : "none", "cancelled")
            } else {
              const run = yield* Effect.forkChild(indexer.run({}))
              yield* held
              yield* Fiber.interrupt(run)
            }
            assert.strictEqual(yield* indexer.active, null)
            const [cancelled] = yield* indexer.runs(1)
            assert.strictEqual(cancelled?.status, "cancelled")
            const { counts } = yield* contents
            assert.strictEqual(counts.documents, cancelled?.counts.changed)

            world.probe.before = () => Effect.void
            const rest = yield* runIndex()
            assert.strictEqual(rest.status, "succeeded")
            assert.strictEqual(rest.counts.changed + counts.documents, names.length)
            yield* isSound
            // what was committed is not embedded again; a call that was under way may be
            const committed = names.slice(0, counts.documents)
            for (const name of committed) {
              assert.strictEqual(
                world.probe.embedded.filter((text) => text.includes(`# ${name}\n`)).length,
                1
              )
            }
          })
        )
      }).pipe(Effect.scoped)
    )
  }

  it.effect("of a build beside the live generation: the next run resumes it with the vectors it had", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const names = numbered(60)
      for (const name of names) world.corpus.write(`${name}.md`, section(name, `walruses of ${name}`))
      yield* inSystem(world, runIndex())
      world.probe.embedded.length = 0
      world.probe.calls = 0
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          const reader = yield* GenerationReader
          const builder = yield* GenerationBuilder
          const held = yield* holdAfter(world, 4)
          const { id } = yield* indexer.start({})
          yield* held
          assert.strictEqual((yield* builder.building)?.id, "g-000002")
          // the old one, with its own embedder, answers meanwhile
          assert.strictEqual((yield* searchPaths("walruses", { mode: "vector" })).length, 10)
          yield* indexer.cancel(id)
          const had = world.probe.embedded.length
          assert.isAbove(had, 0)
          world.probe.before = () => Effect.void
          const run = yield* runIndex()
          assert.strictEqual(run.status, "succeeded")
          assert.strictEqual((yield* reader.live).id, "g-000002")
          assert.strictEqual(yield* builder.building, null)
          assert.isAtLeast(run.counts.embeddingsCached, 32)
          assert.strictEqual(run.counts.embeddingsCached + run.counts.embedded, names.length)
          yield* isSound
        }),
        "embedder: { use: test, options: { model: two } }"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("a second run in the same process is refused and names the first", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          const held = yield* holdAfter(world, 0)
          const { id } = yield* indexer.start({})
          yield* held
          const refused = yield* Effect.flip(indexer.run({}))
          assert.deepInclude(refused, { _tag: "RunInProgress", runId: id })
          yield* indexer.cancel(id)
        })
      )
    }).pipe(Effect.scoped)
  )
})
