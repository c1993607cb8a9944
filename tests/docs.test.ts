import { assert, describe, it } from "vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { configurationDocs } from "../scripts/configurationDocs.ts"

/** The pages about the project as it is now. Decisions are of their day: what they name may be gone. */
const pages = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...["docs", "bench", "research"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => join(folder, file))
  )
]

const isDecision = (page: string): boolean => /^docs\/decisions\/\d/.test(page)

/** Text outside of blocks of code. */
const proseOf = (page: string): string => readFileSync(page, "utf8").replace(/^```[^]*?^```$/gm, "")

/** Paths from the root that a page names in single backticks, without those with a place to fill in. */
const pathsIn = (prose: string): ReadonlyArray<string> =>
  [...prose.matchAll(/`((?:packages|apps|bench|configs|docs|research|scripts|tests)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path
  )

/** What links of a page to files point at, without the part after `#`. */
const linksIn = (prose: string): ReadonlyArray<string> =>
  [...prose.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, target = ""]) => {
    const [file = ""] = target.split("#")
    return file === "" || /^[a-z]+:/.test(file) ? [] : [file]
  })

describe("docs", () => {
  it("name only files that exist", () => {
    const found = pages.filter((page) => !isDecision(page)).flatMap((page) => pathsIn(proseOf(page)))
    assert.isAbove(found.length, 50)
    assert.deepStrictEqual(
      found.filter((path) => !existsSync(path)),
      []
    )
  })

  it("link only to files that exist", () => {
    const found = pages.flatMap((page) => linksIn(proseOf(page)).map((link) => join(dirname(page), link)))
    assert.isAbove(found.length, 50)
    assert.deepStrictEqual(
      found.filter((path) => !existsSync(path)),
      []
    )
  })

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
          /^# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (accepted|(?:partly )?superseded by \d+)\.\n/.exec(
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
