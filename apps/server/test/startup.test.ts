import { afterAll, assert, describe, it } from "vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "omnirag-startup-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** The modules that a command loads, each from its package on. */
const modulesOf = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const record = join(folder, "modules.txt")
  execFileSync(
    process.execPath,
    [
      "--import",
      join(import.meta.dirname, "fixtures/recordModules.ts"),
      join(import.meta.dirname, "../bin/omnirag.js"),
      ...args
    ],
    { env: { ...process.env, RECORD_MODULES: record }, stdio: "pipe" }
  )
  return readFileSync(record, "utf8")
    .split("\n")
    .map((url) => url.replace(/^.*\/(?=(?:node_modules|packages)\/)/, ""))
}

describe("the start of `omnirag search`", () => {
  mkdirSync(join(folder, "corpus"))
  const config = join(folder, "omnirag.yaml")
  writeFileSync(
    config,
    `data: ${join(folder, "data")}\nsources: [{ use: folder, options: { path: ${join(folder, "corpus")} } }]\n`
  )
  const modules = modulesOf("search", "anything", "--config", config)

  it("imports what it searches with", () => {
    assert.include(modules, "packages/plugins-catalog/src/sqlite/sqliteCatalog.ts")
    assert.include(modules, "packages/core/src/retrieval/Retriever.ts")
  })

  it("imports nothing that serves, writes answers or splits documents", () => {
    const needless =
      /^node_modules\/(?:graphql|@graphql|@pothos|graphql-|@redis|markdown-it|ollama|onnx)|^node_modules\/effect\/dist\/ai\/index|^packages\/(?:api-|http\/)|makeMarkdownChunker|llmAnswers\.ts|watchFolder/
    assert.deepStrictEqual(
      modules.filter((module) => needless.test(module)),
      []
    )
  })
})
