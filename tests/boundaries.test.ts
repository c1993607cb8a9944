import { circlesOf, filesBelow, importsOf, relativeImportsOf } from "@omnirag/testkit/importGraph"
import { assert, describe, it } from "vitest"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join, relative, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

const packages = [
  ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name)),
  join(root, "apps", "server")
]

const plugins = packages
  .map((folder) => `@omnirag/${basename(folder)}`)
  .filter((name) => name.startsWith("@omnirag/plugins-"))

/** What the sources of a package may import of the others: arrows point to core, plugins never meet. */
const allowed = (name: string): ReadonlyArray<string> => {
  if (name.startsWith("plugins-")) {
    return ["plugin", "batch", "filter", "language", "testing"].map((door) => `@omnirag/core/${door}`)
  }
  if (name.startsWith("api-")) return ["@omnirag/core/app", "@omnirag/core/language", "@omnirag/http"]
  switch (name) {
    case "http":
      return ["@omnirag/core/app"]
    case "runtime":
      return ["@omnirag/core/app", "@omnirag/core/llm", ...plugins]
    case "server":
      return ["@omnirag/core/app", "@omnirag/runtime", "@omnirag/http", "@omnirag/api-graphql"]
    case "testkit":
      return [
        ...["app", "plugin", "filter", "testing"].map((door) => `@omnirag/core/${door}`),
        "@omnirag/runtime",
        "@omnirag/server/bin"
      ]
    default:
      return []
  }
}

/** The rooms of core in their order: each may know those before it, none after it. */
const rooms = [
  "domain",
  "language",
  "ports",
  "plugin",
  "config",
  "access",
  "index",
  "sources",
  "run",
  "verify",
  "documents",
  "prompting",
  "retrieval",
  "answering",
  "benchmark",
  "status",
  "testing"
]

const core = join(root, "packages/core/src")

/** The room of a file of core; null for the doors, which stand outside of all rooms. */
const roomOf = (file: string): string | null => {
  const [room = "", ...rest] = relative(core, file).split("/")
  return rest.length === 0 ? null : room
}

/** What is wrong with the imports of the rooms of core, one line each. */
const upwardImports = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.flatMap((file) => {
    const from = roomOf(file)
    return from === null
      ? []
      : relativeImportsOf(file)
          .filter((target) => {
            const to = roomOf(target)
            return to === null || rooms.indexOf(to) > rooms.indexOf(from)
          })
          .map((target) => `${relative(core, file)} imports ${relative(core, target)}`)
  })

describe("the house", () => {
  for (const folder of packages) {
    const name = basename(folder)
    const sources = filesBelow(join(folder, "src"))

    it(`${name} has sources, and says what it is for`, () => {
      assert.isNotEmpty(sources)
      const { description = "" } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
        string,
        string
      >
      assert.match(description, /\w/)
    })

    it(`${name} imports only what it may`, () => {
      const wrong = sources.flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith("@omnirag/") && !allowed(name).includes(specifier))
          .map((specifier) => `${relative(root, file)} imports ${specifier}`)
      )
      assert.deepStrictEqual(wrong, [])
    })

    it(`${name} has no circle of imports`, () => {
      const graph = new Map(sources.map((file) => [file, relativeImportsOf(file)]))
      assert.deepStrictEqual(
        circlesOf(graph).map((circle) => circle.map((file) => relative(root, file)).join(", ")),
        []
      )
    })

    it(`${name} declares what it imports`, () => {
      const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8")
      ) as Record<string, Record<string, string>>
      const declared = new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
      const missing = sources
        .filter((file) => !file.includes("/src/testing/"))
        .flatMap(importsOf)
        .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
        .map((specifier) =>
          specifier
            .split("/")
            .slice(0, specifier.startsWith("@") ? 2 : 1)
            .join("/")
        )
        .filter((specifier) => !declared.has(specifier))
      assert.deepStrictEqual([...new Set(missing)], [])
    })
  }

  it("nothing imports from another package by a path", () => {
    const homes = [...packages, ...["tests", "bench", "scripts", "docs"].map((name) => join(root, name))]
    // what lies beside the packages may share, as the test of the reference does with the script that writes it
    const isForeign = (home: string, target: string): boolean =>
      !target.startsWith(`${home}/`) &&
      (packages.includes(home) || packages.some((folder) => target.startsWith(`${folder}/`)))
    const wrong = homes.filter(existsSync).flatMap((home) =>
      filesBelow(home).flatMap((file) =>
        relativeImportsOf(file)
          .filter((target) => isForeign(home, target))
          .map((target) => `${relative(root, file)} imports ${relative(root, target)}`)
      )
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("every room of core has its place in the order", () => {
    const found = readdirSync(core, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    assert.deepStrictEqual(
      found.map(({ name }) => name).filter((name) => !rooms.includes(name)),
      []
    )
  })

  it("ARCHITECTURE.md lists every package, and the rooms of core in their order", () => {
    const [, list = "", order = ""] =
      /^## Packages\n([^]*?)^### Rooms of core\n([^]*?)^## /m.exec(
        readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
      ) ?? []
    const listed = [...list.matchAll(/^\| `((?:packages|apps)\/[\w-]+)`/gm)].map(([, name]) => name)
    assert.sameMembers(
      listed,
      packages.map((folder) => relative(root, folder))
    )
    assert.deepStrictEqual(
      [...order.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name),
      rooms
    )
  })

  it("a room of core knows those before it only", () => {
    assert.deepStrictEqual(upwardImports(filesBelow(core)), [])
  })

  it("no source file is above 15 kB", () => {
    const big = packages
      .flatMap((folder) => filesBelow(join(folder, "src")))
      .filter((file) => statSync(file).size > 15_000)
      .map((file) => relative(root, file))
    assert.deepStrictEqual(big, [])
  })
})

describe("the search for circles", () => {
  it("finds those of two and more, and files that import themselves", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", ["e", "elsewhere"]],
      ["e", ["d", "f"]],
      ["f", ["f"]],
      ["g", ["a", "f"]]
    ])
    assert.sameDeepMembers([...circlesOf(graph)], [["a", "b", "c"], ["d", "e"], ["f"]])
  })
})
