import { assert, describe, it } from "@effect/vitest"
import { chunkFaults, sampleDocument } from "@omnirag/core/testing"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { headingsOf, pathAt } from "./headingsOf.ts"
import { defaults, split } from "./splitting.ts"

const data = process.env["OMNIRAG_TEST_DATA"] ?? join(import.meta.dirname, "../../../../shared/data")
const archive = join(data, "wild.tar.gz")
const present = existsSync(archive)

describe("1,504 files of five public projects", () => {
  const folder = present ? mkdtempSync(join(tmpdir(), "omnirag-wild-")) : ""
  afterAll(() => {
    if (folder !== "") rmSync(folder, { recursive: true })
  })

  it.skipIf(!present)(
    `are split without a fault, with markdown-it's own headings${present ? "" : " (skipped: no wild.tar.gz in the test data)"}`,
    () => {
      execFileSync("tar", ["xzf", archive, "-C", folder])
      const files = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((name) =>
        name.endsWith(".md")
      )
      assert.strictEqual(files.length, 1_504)
      for (const options of [defaults, { ...defaults, maxLength: 300 }]) {
        const faults = files.flatMap((file) => {
          const text = readFileSync(join(folder, file), "utf8")
          const chunks = split(text, options)
          const headings = headingsOf(text)
          const wrong = chunks.filter(
            (chunk) => chunk.headingPath.join("\0") !== pathAt(headings, chunk.end).join("\0")
          )
          const known = new Set(headings.map((heading) => heading.text))
          const found = new Set(chunks.flatMap((chunk) => chunk.headingPath))
          return [
            ...chunkFaults(sampleDocument(text), chunks, options),
            ...wrong.map((chunk) => `wrong path ${chunk.headingPath.join(" > ")} at ${chunk.start}`),
            ...[...found]
              .filter((heading) => !known.has(heading))
              .map((heading) => `false heading ${heading}`)
          ].map((fault) => `${file}: ${fault}`)
        })
        assert.deepStrictEqual(faults, [])
      }
    }
  )
})
