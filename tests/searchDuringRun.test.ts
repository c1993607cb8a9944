import { assert, describe, it } from "@effect/vitest"
import { ChunkFilter, Indexer, IndexVerifier, Retriever } from "@omnirag/core/app"
import { Deferred, Effect } from "effect"
import { contents, inSystem, makeWorld, runIndex, type TestWorld } from "@omnirag/testkit/TestSystem"

const names = Array.from({ length: 60 }, (_, n) => `f${String(n).padStart(2, "0")}`)

const write = ({ corpus }: TestWorld, version: string) => {
  for (const name of names)
    corpus.write(`half/${name}.md`, `# ${name}\n\nThe ${version} text about walruses in ${name}.\n`)
}

/** The version of each file that a search finds, by its path; a file that is found twice has both. */
const versions = (mode: "vector" | "hybrid") =>
  Effect.map(
    Retriever.use((retriever) =>
      retriever.search({
        query: "walruses",
        topK: 100,
        mode,
        where: ChunkFilter.equals("bundle", "half")
      })
    ),
    ({ hits }) =>
      hits
        .map(({ chunk, path }) => `${path.slice(5, 8)} ${/The (\w+) text/.exec(chunk.text)?.[1]}`)
        .toSorted()
  )

/** Begins a run and cancels it after `whileHeld`, which sees it with some documents committed and none in the store. */
const interrupted = <A, E, R>(world: TestWorld, whileHeld: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const indexer = yield* Indexer
    const held = yield* Deferred.make<void>()
    world.probe.calls = 0
    world.probe.before = () =>
      world.probe.calls <= 4 ? Effect.void : Effect.andThen(Deferred.succeed(held, undefined), Effect.never)
    const { id } = yield* indexer.start({})
    yield* Deferred.await(held)
    const seen = yield* whileHeld
    yield* indexer.cancel(id)
    world.probe.before = () => Effect.void
    return seen
  })

const isEachOnce = (found: ReadonlyArray<string>) => {
  assert.deepStrictEqual(
    found.map((line) => line.slice(0, 3)),
    names
  )
  return found.filter((line) => line.endsWith("new")).length
}

describe("a search while documents change", () => {
  it.effect(
    "finds each document in its old or its new version, during a run and after one that was stopped",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld
        write(world, "old")
        yield* inSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            write(world, "new")
            const found = yield* interrupted(world, Effect.all([versions("vector"), versions("hybrid")]))
            for (const list of found) assert.isAbove(isEachOnce(list), 0)
            const { counts } = yield* contents
            assert.isAbove(counts.outbox, 0)
          })
        )
        // another process finds what the first has left
        yield* inSystem(
          world,
          Effect.gen(function* () {
            const committed = isEachOnce(yield* versions("vector"))
            assert.isAbove(committed, 0)
            assert.isBelow(committed, names.length)
            yield* runIndex()
            assert.strictEqual(isEachOnce(yield* versions("vector")), names.length)
            assert.isTrue((yield* Effect.flatMap(IndexVerifier, ({ verify }) => verify)).sound)
          })
        )
      }).pipe(Effect.scoped)
  )
})
