import { assert, describe, it } from "vitest"
import { readdirSync, readFileSync } from "node:fs"
import { configurationDocs } from "../scripts/configurationDocs.ts"

describe("docs", () => {
  it("docs/configuration.md is what the schemas say (`npm run docs` writes it)", () => {
    assert.strictEqual(readFileSync("docs/configuration.md", "utf8"), configurationDocs())
  })

  it("docs/decisions/README.md lists every decision with its title, date and status", () => {
    const rows = readdirSync("docs/decisions")
      .filter((file) => /^\d{4}-/.test(file))
      .toSorted()
      .map((file) => {
        const text = readFileSync(`docs/decisions/${file}`, "utf8")
        const [, number, title, date, status] =
          /^# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (accepted|superseded by \d+)\.\n/.exec(
            text
          ) ?? []
        return `| ${number} | [${title}](${file}) | ${date} | ${status} |`
      })
    assert.isNotEmpty(rows)
    const index = readFileSync("docs/decisions/README.md", "utf8")
    assert.deepStrictEqual(
      index.split("\n").filter((line) => /^\| \d/.test(line)),
      rows
    )
  })
})
