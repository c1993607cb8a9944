import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const tsc = join(root, "node_modules/typescript/bin/tsc")

/** Kinds mixed up, each on a line of its own that says so; all of them are refused. */
const mixedUp = `import { Chunker, definePlugin, DocumentLoader, ModelContext, VectorStoreProvider } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"

declare const stores: Layer.Layer<VectorStoreProvider>
declare const loaders: Layer.Layer<DocumentLoader>
declare const models: Layer.Layer<DocumentLoader, never, ModelContext>
declare const chunkers: Layer.Layer<Chunker, Error>
const head = { name: "x", description: "x", options: Schema.Struct({}) }

export const good = definePlugin({ ...head, kind: "loader", layer: () => loaders })
export const goodLater = definePlugin({ ...head, kind: "loader", load: () => Promise.resolve(() => loaders) })
export const wrongPort = definePlugin({ ...head, kind: "loader", layer: () => stores }) // refused
export const wrongPortLater = definePlugin({ ...head, kind: "loader", load: () => Promise.resolve(() => stores) }) // refused
export const wrongNeed = definePlugin({ ...head, kind: "loader", layer: () => models }) // refused
export const wrongError = definePlugin({ ...head, kind: "chunker", layer: () => chunkers }) // refused
export const wrongKind = definePlugin({ ...head, kind: "shop", layer: () => loaders }) // refused
export const nothing = definePlugin({ ...head, kind: "loader" }) // refused
export const effect = Effect.void
`

/** What the plugin guide imports with `load`. */
const nearbyLayer = `import { memoryStore } from "./store.ts"

export const nearbyLayer = (_options: { readonly url: string }) => memoryStore.build({})
`

describe("the project of a plugin's author, outside of this repository", () => {
  const project = mkdtempSync(join(tmpdir(), "omnirag-author-"))
  afterAll(() => rmSync(project, { recursive: true }))

  const check = (...files: ReadonlyArray<string>): ReadonlyArray<string> => {
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "ES2024",
          module: "NodeNext",
          strict: true,
          noEmit: true,
          // for imports that carry `.ts`, as Node wants them
          rewriteRelativeImportExtensions: true,
          skipLibCheck: false,
          types: ["node"]
        },
        files
      })
    )
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project, "--pretty", "false"], {
      cwd: project,
      encoding: "utf8"
    })
    const errors = stdout.split("\n").filter((line) => /error TS/.test(line))
    assert.strictEqual(status === 0, errors.length === 0, stdout)
    return errors
  }

  beforeAll(() => {
    execFileSync(process.execPath, [tsc, "-p", join(root, "packages/core/tsconfig.build.json")])
    cpSync(join(root, "tests/fixtures/pluginAuthor"), project, { recursive: true })
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "author", type: "module" }))
    for (const [name, target] of [
      ["@omnirag/core", "packages/core"],
      ["effect", "node_modules/effect"],
      ["@types/node", "node_modules/@types/node"]
    ] as const) {
      const link = join(project, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, target), link)
    }
  }, 180_000)

  it("type-checks a store, a loader, an embedder and what the guide imports when used, with a usual configuration", () => {
    const guide = readFileSync(join(root, "docs/plugins.md"), "utf8")
    const nearby = [...guide.matchAll(/^```ts\n([^]*?)^```$/gm)].find(([, text]) =>
      text?.includes("export const nearby")
    )
    assert.isDefined(nearby)
    writeFileSync(join(project, "nearby.ts"), nearby?.[1] ?? "")
    writeFileSync(join(project, "nearbyLayer.ts"), nearbyLayer)
    assert.deepStrictEqual(check("store.ts", "loader.ts", "embedder.ts", "nearby.ts"), [])
  }, 180_000)

  it("is told on the line where a plugin is not what its kind says", () => {
    writeFileSync(join(project, "mixedUp.ts"), mixedUp)
    const refused = mixedUp
      .split("\n")
      .flatMap((line, index) => (line.endsWith("// refused") ? [`mixedUp.ts(${index + 1},`] : []))
    const errors = check("mixedUp.ts")
    assert.deepStrictEqual([...new Set(errors.map((line) => line.slice(0, line.indexOf(",") + 1)))], refused)
  }, 180_000)
})
