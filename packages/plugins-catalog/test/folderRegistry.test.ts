import { type AppError, GenerationRegistry, IndexCorrupt } from "@omnirag/core/app"
import { registryConformance } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, type Scope } from "effect"
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { layerIn, temporaryFolder } from "./catalogLayer.ts"

registryConformance({ name: "the data folder", newIndex: Effect.map(temporaryFolder, layerIn) })

const live = GenerationRegistry.use((registry) => registry.live)
const list = GenerationRegistry.use((registry) => registry.list)

/** An index with this generation promoted and something in it, made by one process. */
const indexWith = (id: string) =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    yield* GenerationRegistry.use((registry) =>
      Effect.gen(function* () {
        yield* registry.index
        yield* registry.add(id)
        yield* Effect.sync(() => writeFileSync(join(data, id, "catalog.sqlite"), "content"))
        yield* registry.promote(id)
      })
    ).pipe(Effect.provide(layerIn(data)))
    return { data, layer: layerIn(data), pointer: join(data, "CURRENT") }
  })

const damages: ReadonlyArray<readonly [how: string, damage: (file: string) => void]> = [
  ["emptied", (file) => writeFileSync(file, "")],
  ["removed", (file) => rmSync(file)],
  ["torn", (file) => writeFileSync(file, "g-00")],
  ["zeroed", (file) => writeFileSync(file, Buffer.alloc(9))],
  ["foreign", (file) => writeFileSync(file, "../../etc\n")]
]

describe("CURRENT", () => {
  for (const [how, damage] of damages) {
    it.live(`${how}: the only generation that was promoted is taken, and written down`, () =>
      Effect.gen(function* () {
        const { data, layer, pointer } = yield* indexWith("g-000002")
        // one under construction, and what a crash has left of one
        yield* GenerationRegistry.use(({ add }) => add("g-000003")).pipe(Effect.provide(layer))
        writeFileSync(join(data, "g-000003", "catalog.sqlite"), "half of it")
        mkdirSync(join(data, "g-000004"))
        damage(pointer)
        assert.deepStrictEqual(yield* Effect.provide(live, layer), Option.some("g-000002"))
        assert.strictEqual(readFileSync(pointer, "utf8"), "g-000002\n")
      })
    )

    it.live(`${how}, with two that may be meant: an error that names them and what to do`, () =>
      Effect.gen(function* () {
        const { data, layer, pointer } = yield* indexWith("g-000001")
        cpSync(join(data, "g-000001"), join(data, "g-000002"), { recursive: true })
        damage(pointer)
        const error = yield* Effect.flip(Effect.provide(live, layer))
        assert.instanceOf(error, IndexCorrupt)
        assert.match(error.message, /^CURRENT: it .*g-000001 and g-000002$/)
        assert.strictEqual(error.remedy, "chooseGeneration")
        assert.notInclude(error.message, data)
        yield* GenerationRegistry.use(({ promote }) => promote("g-000002")).pipe(Effect.provide(layer))
        assert.deepStrictEqual(yield* Effect.provide(live, layer), Option.some("g-000002"))
      })
    )
  }

  it.live("torn, with nothing but unfinished generations: an error, and not a new index", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* GenerationRegistry.use(({ add }) => add("g-000001")).pipe(Effect.provide(layerIn(data)))
      writeFileSync(join(data, "CURRENT"), "\0")
      const error = yield* Effect.flip(Effect.provide(live, layerIn(data)))
      assert.propertyVal(error, "_tag", "IndexCorrupt")
    })
  )

  it.live("of an index made by the revision before is read as it is", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      mkdirSync(join(data, "g-000007"))
      writeFileSync(join(data, "g-000007", "catalog.sqlite"), "content")
      writeFileSync(join(data, "CURRENT"), "g-000007\n")
      writeFileSync(join(data, "INDEX_ID"), "0123abcd\n")
      const index = GenerationRegistry.use((registry) => registry.index)
      assert.deepStrictEqual(yield* Effect.provide(live, layerIn(data)), Option.some("g-000007"))
      assert.deepStrictEqual(yield* Effect.provide(list, layerIn(data)), ["g-000007"])
      assert.strictEqual(yield* Effect.provide(index, layerIn(data)), "0123abcd")
    })
  )
})

describe("INDEX_ID", () => {
  it.live("is the same for processes that are started at once", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryFolder, "not", "there", "yet")
      const ask = Effect.promise(() =>
        promisify(execFile)(process.execPath, [join(import.meta.dirname, "fixtures", "printIndex.ts"), data])
      )
      const printed = yield* Effect.all([ask, ask, ask, ask], { concurrency: "unbounded" })
      const names = new Set(printed.map(({ stdout }) => stdout))
      assert.deepStrictEqual([...names], [readFileSync(join(data, "INDEX_ID"), "utf8")])
    })
  )

  for (const [how, damage] of damages) {
    it.live(`${how}: the index gets another name, and keeps that`, () =>
      Effect.gen(function* () {
        const { data, layer } = yield* indexWith("g-000001")
        const file = join(data, "INDEX_ID")
        const before = readFileSync(file, "utf8").trim()
        damage(file)
        const index = GenerationRegistry.use((registry) => registry.index)
        const after = yield* Effect.provide(index, layer)
        assert.match(after, /^[0-9a-f]{8}$/)
        assert.notStrictEqual(after, before)
        assert.strictEqual(yield* Effect.provide(index, layer), after)
      })
    )
  }
})

describe("the data folder", () => {
  it.live("is not made by those who only ask, and holds nothing but what it should", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryFolder, "data")
      assert.deepStrictEqual(yield* Effect.provide(list, layerIn(data)), [])
      assert.deepStrictEqual(yield* Effect.provide(live, layerIn(data)), Option.none())
      assert.isFalse(existsSync(data))
      yield* GenerationRegistry.use((registry) =>
        Effect.gen(function* () {
          yield* registry.lock("the test")
          yield* registry.index
          for (const id of ["g-000001", "g-000002"])
            yield* Effect.andThen(registry.add(id), registry.promote(id))
          yield* registry.remove("g-000001")
        })
      ).pipe(Effect.scoped, Effect.provide(layerIn(data)))
      assert.deepStrictEqual(readdirSync(data).toSorted(), ["CURRENT", "INDEX_ID", "g-000002", "writer.lock"])
      assert.deepStrictEqual(readdirSync(join(data, "g-000002")), [])
    })
  )

  it.live("that cannot be used is named without its path", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const data = join(folder, "taken")
      writeFileSync(data, "")
      const all = GenerationRegistry.use((registry) => {
        const uses: ReadonlyArray<Effect.Effect<unknown, AppError, Scope.Scope>> = [
          registry.index,
          registry.list,
          registry.live,
          registry.add("g-000001"),
          registry.promote("g-000001"),
          registry.lock("the test")
        ]
        return Effect.scoped(Effect.forEach(uses, (use) => Effect.flip(use)))
      })
      for (const error of yield* Effect.provide(all, layerIn(data))) {
        assert.strictEqual(error._tag, "CatalogError")
        assert.include(error.message, "data folder: a file is where a folder should be")
        assert.notInclude(error.message, folder)
      }
    })
  )
})
