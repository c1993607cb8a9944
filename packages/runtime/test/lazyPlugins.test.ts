import { assert, describe, it } from "vitest"
import { execFileSync } from "node:child_process"
import { join, resolve } from "node:path"

const fixture = join(import.meta.dirname, "fixtures/loadedModules.ts")
const config = resolve(import.meta.dirname, "../../../configs/default.yaml")

/** The modules of a process that has checked the default configuration, below the last `packages/` or `node_modules/`. */
const loadedModules = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const printed = execFileSync(process.execPath, [fixture, config, ...args], { encoding: "utf8" })
  return (JSON.parse(printed) as ReadonlyArray<string>).map((url) =>
    url.slice(Math.max(url.lastIndexOf("/packages/"), url.lastIndexOf("/node_modules/")))
  )
}

/** What only the work of a plugin needs: a provider's library, or the modules that do the work. */
const heavy = [
  /^\/node_modules\/(?:ollama|onnxruntime-node|@huggingface|faiss-node|markdown-it|ignore|redis|@redis|ws|undici)\//,
  /^\/node_modules\/effect\/dist\/ai\/index\.js/,
  /^\/packages\/plugins-[a-z]+\/src\/.*(?:Layer|Store|Worker|Client|Pool|Process)\.ts/,
  /^\/packages\/plugins-vectordb\/src\/local\//,
  /^\/packages\/plugins-catalog\/src\/(?:folder\/|sqlite\/(?!sqliteCatalog|SqliteCatalogOptions))/,
  /^\/packages\/plugins-loaders\/src\/(?:watch\/|git\/(?!gitAddress))/,
  /^\/packages\/plugins-chunkers\/src\/markdown\/(?!markdownChunker|options)/,
  /^\/packages\/core\/src\/(?:answering\/(?:llmAnswers|extractiveAnswers|selectQuotes)|retrieval\/llmReranker)\.ts/
]
const isHeavy = (module: string): boolean => heavy.some((pattern) => pattern.test(module))

describe("plugins that are not built", () => {
  const modules = loadedModules()

  it("are known by their definitions", () => {
    for (const definition of [
      "/packages/plugins-catalog/src/sqlite/sqliteCatalog.ts",
      "/packages/plugins-vectordb/src/faiss.ts",
      "/packages/plugins-models/src/ollama/ollamaModel.ts",
      "/packages/plugins-loaders/src/sources/git.ts"
    ]) {
      assert.include(modules, definition)
    }
  })

  it("cost no module of the work behind them", () => {
    assert.deepStrictEqual(modules.filter(isHeavy), [])
  })

  it("import it once they are built", () => {
    const built = loadedModules("markdown").filter(isHeavy)
    assert.include(built, "/packages/plugins-chunkers/src/markdown/makeMarkdownChunker.ts")
    assert.isTrue(built.some((module) => module.startsWith("/node_modules/markdown-it/")))
    assert.deepStrictEqual(
      built.filter((module) => /ollama|onnx|faiss|local|git|sqlite/.test(module)),
      []
    )
  })
})
