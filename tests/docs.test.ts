import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { configurationDocs } from "../scripts/configurationDocs.ts"

describe("docs", () => {
  it("docs/configuration.md is what the schemas say (`npm run docs` writes it)", () => {
    assert.strictEqual(readFileSync("docs/configuration.md", "utf8"), configurationDocs())
  })
})
