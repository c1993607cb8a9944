import { assert, describe, it } from "@effect/vitest"
import { type AppError, GenerationReader, remedyOf, Retriever } from "@omnirag/core/app"
import { Effect, Result } from "effect"
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
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

const words = ["walruses", "otters", "penguins", "badgers", "lynxes", "gazelles"]

/** The embedded default, so that what the embedder has learned can be damaged too. */
const lsa = "embedder: { use: lsa }"

/** A world with an index of six documents. */
const indexed = Effect.gen(function* () {
  const world = yield* makeWorld
  for (const word of words) world.corpus.write(`${word}.md`, section(word, word))
  yield* inSystem(world, runIndex(), lsa)
  return world
})

const generation = (world: TestWorld) => join(world.data, "g-000001")
/** The folder of the one collection of a world. */
const vectors = (world: TestWorld) => {
  const folder = join(generation(world), "vectors")
  return join(folder, readdirSync(folder)[0] ?? "")
}
const vectorFile = (world: TestWorld, kind: RegExp) =>
  join(vectors(world), readdirSync(vectors(world)).find((name) => kind.test(name)) ?? "")

const damages: ReadonlyArray<readonly [string, (file: string) => void]> = [
  ["emptied", (file) => writeFileSync(file, "")],
  ["truncated", (file) => writeFileSync(file, readFileSync(file).subarray(0, readFileSync(file).length / 2))],
  ["zeroed", (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length))],
  [
    "with a flipped bit",
    (file) => {
      const bytes = readFileSync(file)
      const at = Math.floor(bytes.length * 0.6)
      bytes[at] = (bytes[at] ?? 0) ^ 0x10
      writeFileSync(file, bytes)
    }
  ],
  ["removed", (file) => rmSync(file)]
]

/** The number of hits of a search that every document matches, or the error. */
const search = (world: TestWorld): Effect.Effect<Result.Result<number, AppError>> =>
  inSystem(
    world,
    Retriever.use((retriever) =>
      retriever.search({ query: "section about nothing else walruses", topK: 10 })
    ),
    lsa
  ).pipe(
    Effect.map(({ hits }) => hits.length),
    Effect.result
  )

/** All documents are found, or an error says what is wrong with which file and how to repair it. */
const neverFewer = Effect.fnUntraced(function* (world: TestWorld) {
  const found = yield* search(world)
  if (Result.isSuccess(found)) {
    assert.strictEqual(found.success, words.length)
    return
  }
  assert.include(["INDEX_CORRUPT", "CATALOG_FAILED"], found.failure.code)
  assert.include(["index", "rebuild"], remedyOf(found.failure))
})

const repaired = Effect.fnUntraced(function* (world: TestWorld, rebuild: boolean) {
  yield* inSystem(
    world,
    Effect.gen(function* () {
      assert.strictEqual((yield* runIndex({ rebuild })).status, "succeeded")
      const { chunkIds, storeIds } = yield* contents
      assert.deepStrictEqual(storeIds, chunkIds)
      assert.strictEqual(chunkIds.length, words.length)
    }),
    lsa
  )
  assert.deepStrictEqual(yield* search(world), Result.succeed(words.length))
})

const projections: ReadonlyArray<readonly [string, (world: TestWorld) => string]> = [
  ["the learned embedder", (world) => join(generation(world), "artifacts", "lsa-model")],
  ["the manifest of the vectors", (world) => join(vectors(world), "manifest.json")],
  ["the vectors", (world) => vectorFile(world, /^vectors-/)],
  ["the fields of the vectors", (world) => vectorFile(world, /^fields-/)]
]

describe("a damaged file that can be made from the catalog", () => {
  for (const [what, file] of projections) {
    for (const [how, damage] of damages) {
      it.effect(`${what} ${how}: an error that says so, and the next run makes it anew`, () =>
        Effect.gen(function* () {
          const world = yield* indexed
          damage(file(world))
          const found = yield* search(world)
          assert.isTrue(Result.isFailure(found))
          yield* neverFewer(world)
          yield* repaired(world, false)
        }).pipe(Effect.scoped)
      )
    }
  }

  it.effect("the whole folder of the vectors removed: the same", () =>
    Effect.gen(function* () {
      const world = yield* indexed
      rmSync(join(generation(world), "vectors"), { recursive: true })
      assert.isTrue(Result.isFailure(yield* search(world)))
      yield* neverFewer(world)
      yield* repaired(world, false)
    }).pipe(Effect.scoped)
  )
})

describe("a damaged catalog", () => {
  for (const [how, damage] of damages) {
    it.effect(`${how}: an error or every result, and --rebuild works`, () =>
      Effect.gen(function* () {
        const world = yield* indexed
        for (const end of ["-wal", "-shm"]) {
          rmSync(join(generation(world), `catalog.sqlite${end}`), { force: true })
        }
        damage(join(generation(world), "catalog.sqlite"))
        yield* neverFewer(world)
        yield* repaired(world, true)
      }).pipe(Effect.scoped)
    )
  }
})

describe("parts of another index", () => {
  const parts: ReadonlyArray<readonly [string, (world: TestWorld) => string]> = [
    ["the catalog", (world) => join(generation(world), "catalog.sqlite")],
    ["the vectors", (world) => join(generation(world), "vectors")],
    ["the learned embedder", (world) => join(generation(world), "artifacts")]
  ]
  for (const [what, part] of parts) {
    it.effect(`${what}: an error, never the results of the other, and the index can be repaired`, () =>
      Effect.gen(function* () {
        const world = yield* indexed
        const foreign = yield* makeWorld
        foreign.corpus.write("other.md", section("Other", "something else about this section"))
        yield* inSystem(foreign, runIndex(), lsa)
        rmSync(part(world), { recursive: true })
        cpSync(part(foreign), part(world), { recursive: true })
        const found = yield* search(world)
        assert.isTrue(Result.isFailure(found))
        yield* repaired(world, what === "the catalog")
      }).pipe(Effect.scoped)
    )
  }
})

it.effect("a whole generation of another index with the same model: an error", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld
    const foreign = yield* makeWorld
    world.corpus.write("a.md", section("Mine", "walruses"))
    foreign.corpus.write("b.md", section("Other", "walruses"))
    yield* inSystem(world, runIndex())
    yield* inSystem(foreign, runIndex())
    rmSync(generation(world), { recursive: true })
    cpSync(generation(foreign), generation(world), { recursive: true })
    const error = yield* Effect.flip(
      inSystem(
        world,
        Retriever.use((retriever) => retriever.search({ query: "walruses", topK: 5 }))
      )
    )
    assert.strictEqual(error.code, "INDEX_CORRUPT")
    yield* inSystem(world, runIndex({ rebuild: true }))
    assert.deepStrictEqual(yield* inSystem(world, searchPaths("walruses")), ["a.md"])
  }).pipe(Effect.scoped)
)

describe("INDEX_ID", () => {
  it.effect("removed: an error that says so, and --rebuild works", () =>
    Effect.gen(function* () {
      const world = yield* indexed
      rmSync(join(world.data, "INDEX_ID"))
      const found = yield* search(world)
      assert.isTrue(Result.isFailure(found))
      yield* neverFewer(world)
      yield* repaired(world, true)
    }).pipe(Effect.scoped)
  )
})

describe("CURRENT", () => {
  const pointer = (world: TestWorld) => join(world.data, "CURRENT")
  for (const [how, damage] of damages) {
    it.effect(`${how}, with one generation: it is taken`, () =>
      Effect.gen(function* () {
        const world = yield* indexed
        damage(pointer(world))
        assert.deepStrictEqual(yield* search(world), Result.succeed(words.length))
        assert.strictEqual(readFileSync(pointer(world), "utf8"), "g-000001\n")
      }).pipe(Effect.scoped)
    )
  }

  for (const [how, damage] of [
    ["emptied, with two generations", (file: string) => writeFileSync(file, "")],
    ["naming a generation that is not there", (file: string) => writeFileSync(file, "g-000077\n")]
  ] as const) {
    it.effect(`${how}: an error that says so, and --rebuild works`, () =>
      Effect.gen(function* () {
        const world = yield* indexed
        cpSync(generation(world), join(world.data, "g-000002"), { recursive: true })
        damage(pointer(world))
        const found = yield* search(world)
        const error = Result.isFailure(found) ? found.failure : undefined
        assert.strictEqual(error?.code, "INDEX_CORRUPT")
        assert.match(error?.message ?? "", /^CURRENT: /)
        assert.strictEqual(remedyOf(error), "chooseGeneration")
        yield* repaired(world, true)
        assert.strictEqual(
          yield* inSystem(
            world,
            GenerationReader.use(({ live }) => Effect.map(live, ({ id }) => id)),
            lsa
          ),
          readFileSync(pointer(world), "utf8").trim()
        )
        assert.isFalse(existsSync(generation(world)))
      }).pipe(Effect.scoped)
    )
  }
})
