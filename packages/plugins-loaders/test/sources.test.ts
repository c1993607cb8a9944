import { parseConfig } from "@omnirag/runtime"
import { SourceProvider } from "@omnirag/core/app"
import { sourceConformance } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, readFile, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { sources } from "@omnirag/plugins-loaders"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"

const pluginOf = (name: string) => {
  const plugin = sources.find((candidate) => candidate.name === name)
  assert(plugin !== undefined, `no plugin ${name}`)
  return plugin
}

const providerOf = (name: string, options: unknown) =>
  Effect.map(Layer.build(pluginOf(name).build(options)), (context) => Context.get(context, SourceProvider))

const openSource = (name: string, options: unknown) =>
  Effect.flatMap(providerOf(name, options), (provider) => provider.open)

const configFile = new URL("../../../configs/omnibioai.yaml", import.meta.url).pathname

sourceConformance({
  name: "folder",
  live: true,
  make: Effect.gen(function* () {
    const root = yield* temporaryFolder
    return {
      provider: yield* Effect.orDie(providerOf("folder", { path: root })),
      write: (path, bytes) => writeFiles(root, { [path]: bytes }),
      remove: (path) => Effect.promise(() => rm(join(root, path)))
    }
  })
})

describe("folder", () => {
  it.effect("is named after the folder or as told", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const named = yield* openSource("folder", { path: `${root}/` })
      assert.deepStrictEqual(
        named.sources.map(({ location, name, revision }) => ({ location, name, revision })),
        [{ location: root, name: basename(root), revision: null }]
      )
      const [source] = (yield* openSource("folder", { path: root, name: "docs" })).sources
      assert.strictEqual(source?.name, "docs")
    })
  )

  it.effect("that is missing, or no folder, says so when it is opened", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "file.md": "" })
      const message = (path: string) =>
        Effect.map(Effect.flip(openSource("folder", { path })), (error) => error.message)
      assert.strictEqual(
        yield* message(join(root, "nowhere")),
        `the folder ${root}/nowhere of the source "nowhere" cannot be indexed: it does not exist; correct its option path`
      )
      assert.strictEqual(
        yield* message(join(root, "file.md")),
        `the folder ${root}/file.md of the source "file.md" cannot be indexed: it is not a folder; correct its option path`
      )
    })
  )

  it.effect("reports every fault of its options", () =>
    Effect.gen(function* () {
      const faults = yield* pluginOf("folder").check({
        path: "",
        name: "a/b",
        maxBytes: 0,
        include: "x",
        colour: 1
      })
      assert.deepStrictEqual(faults.map((fault) => fault.path).toSorted(), [
        "colour",
        "include",
        "maxBytes",
        "name",
        "path"
      ])
    })
  )
})

describe("repositories", () => {
  it.effect("gives one source for each that is there, in the order of the list, and names the missing", () =>
    Effect.gen(function* () {
      const base = yield* temporaryFolder
      yield* writeFiles(base, { "b/x.md": "", "a/docs/y.md": "", "c/file": "", other: "" })
      const opened = yield* openSource("repositories", { base, names: ["b", "gone", "a", "other"] })
      assert.deepStrictEqual(
        opened.sources.map(({ location, name }) => ({ location, name })),
        [
          { location: join(base, "b"), name: "b" },
          { location: join(base, "a"), name: "a" }
        ]
      )
      assert.deepStrictEqual(opened.missing, [
        {
          name: "gone",
          location: join(base, "gone"),
          hint: "it does not exist; clone the repository there or remove its name from the list"
        },
        {
          name: "other",
          location: join(base, "other"),
          hint: "it is not a folder; clone the repository there or remove its name from the list"
        }
      ])
    })
  )

  it.effect("without any there, the error names REPO_BASE, the base and an example", () =>
    Effect.gen(function* () {
      const base = yield* temporaryFolder
      const error = yield* Effect.flip(openSource("repositories", { base, names: ["one", "two"] }))
      assert.strictEqual(
        error.message,
        `none of the 2 configured repositories is below ${base}. Set REPO_BASE to the folder that holds them, ` +
          "for example REPO_BASE=$HOME/repositories when one is $HOME/repositories/one"
      )
    })
  )

  it.effect("finds later what has appeared", () =>
    Effect.gen(function* () {
      const base = yield* temporaryFolder
      yield* writeFiles(base, { "a/x.md": "" })
      const provider = yield* providerOf("repositories", { base, names: ["a", "b"] })
      assert.lengthOf((yield* provider.open).sources, 1)
      yield* Effect.promise(() => mkdir(join(base, "b")))
      assert.lengthOf((yield* provider.open).sources, 2)
    })
  )

  it.effect("refuses names that lead elsewhere, and the same name twice", () =>
    Effect.gen(function* () {
      const faults = yield* pluginOf("repositories").check({ base: ".", names: ["..", "a/b", "/etc"] })
      assert.deepStrictEqual(
        faults.map((fault) => fault.path),
        ["names[0]", "names[1]", "names[2]"]
      )
      const twice = yield* pluginOf("repositories").check({ base: ".", names: ["a", "a"] })
      assert.deepStrictEqual(twice, [{ path: "names", message: '"a" is listed twice' }])
    })
  )
})

describe("configs/omnibioai.yaml", () => {
  const read = (environment: Readonly<Record<string, string>>) =>
    Effect.promise(() => readFile(configFile, "utf8")).pipe(
      Effect.flatMap((text) => parseConfig(configFile, text, environment))
    )

  it.effect("lists 19 repositories below REPO_BASE", () =>
    Effect.gen(function* () {
      const base = yield* temporaryFolder
      yield* writeFiles(base, { "omnibioai-rag/README.md": "# RAG\n" })
      const config = yield* read({ REPO_BASE: base })
      const opened = yield* openSource(config.sources[0].use, config.sources[0].options)
      assert.deepStrictEqual([opened.sources.length, opened.missing.length], [1, 18])
    })
  )

  it.effect("without REPO_BASE names the variable", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read({}))
      assert.include(error.message, "REPO_BASE is not set")
    })
  )
})

const data = process.env["OMNIRAG_TEST_DATA"] ?? new URL("../../../../shared/data", import.meta.url).pathname
const hasData = existsSync(join(data, "omnibioai.tar.gz"))

describe("public repositories of the original", () => {
  it.effect.skipIf(!hasData)("all 99 files are there (needs omnibioai.tar.gz of OMNIRAG_TEST_DATA)", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      execFileSync("tar", ["xzf", join(data, "omnibioai.tar.gz"), "-C", folder])
      const text = yield* Effect.promise(() => readFile(configFile, "utf8"))
      const config = yield* parseConfig(configFile, text, { REPO_BASE: join(folder, "omnibioai") })
      const opened = yield* openSource(config.sources[0].use, config.sources[0].options)
      assert.deepStrictEqual(
        opened.missing.map(({ name }) => name),
        [
          "omnibioai-dev-docker",
          "omnibioai-docs",
          "omnibioai-lims",
          "omnibioai-rag",
          "omnibioai-workflow-bundles"
        ]
      )
      const entries = yield* Effect.forEach(opened.sources, (source) => Stream.runCollect(source.entries))
      assert.deepStrictEqual(
        entries.flat().filter((entry) => entry._tag === "Skip"),
        []
      )
      assert.lengthOf(entries.flat(), 99)
    })
  )
})
