import { assert, describe, it } from "vitest"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))

const packages = [
  ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name)),
  join(root, "apps", "server")
]

const importStatement =
  /^(?:import|export) (?:type )?(?:\* as \w+|\w+|\*|(?:\w+, )?\{[^}]*\}) from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm

const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(importStatement)].map(
    ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? ""
  )

const plugins = packages
  .map((folder) => `@omnirag/${folder.slice(folder.lastIndexOf("/") + 1)}`)
  .filter((name) => name.startsWith("@omnirag/plugins-"))

/** What the sources of a package may import of the others: arrows point to core, plugins never meet. */
const allowed = (name: string): ReadonlyArray<string> => {
  if (name === "core") return []
  if (name === "server")
    return ["@omnirag/core/app", "@omnirag/runtime", "@omnirag/http", "@omnirag/api-graphql"]
  if (name.startsWith("api-")) return ["@omnirag/core/app", "@omnirag/core/language", "@omnirag/http"]
  if (name === "testkit") return ["@omnirag/core/app", "@omnirag/runtime", "@omnirag/server/bin"]
  if (name === "http") return ["@omnirag/core/app"]
  if (name === "runtime") return ["@omnirag/core/app", "@omnirag/core/llm", ...plugins]
  return [name.startsWith("plugins-") ? "/plugin" : "/app", "/batch", "/filter", "/language", "/testing"].map(
    (part) => `@omnirag/core${part}`
  )
}

describe("the house", () => {
  for (const folder of packages) {
    const name = folder.slice(folder.lastIndexOf("/") + 1)
    const sources = filesBelow(join(folder, "src"))

    it(`${name} has sources`, () => assert.isNotEmpty(sources))

    it(`${name} imports only what it may`, () => {
      const wrong = sources.flatMap((file) =>
        importsOf(file)
          .filter((specifier) => {
            if (specifier.startsWith("@omnirag/")) return !allowed(name).includes(specifier)
            return (
              specifier.startsWith(".") && relative(folder, resolve(file, "..", specifier)).startsWith("..")
            )
          })
          .map((specifier) => `${relative(root, file)} imports ${specifier}`)
      )
      assert.deepStrictEqual(wrong, [])
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

  it("no source file is above 15 kB", () => {
    const big = packages
      .flatMap((folder) => filesBelow(join(folder, "src")))
      .filter((file) => statSync(file).size > 15_000)
      .map((file) => relative(root, file))
    assert.deepStrictEqual(big, [])
  })
})
