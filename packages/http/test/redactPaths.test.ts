import { redactPaths } from "@omnirag/http"
import { assert, describe, it } from "vitest"

describe("redactPaths", () => {
  it("cuts absolute paths down to their last part", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["cannot read /srv/omnirag/data/vectors.bin", "cannot read …/vectors.bin"],
      ["/a/b: torn. Run it again", "…/b: torn. Run it again"],
      ['at ("/var/lib/x y/z")', 'at ("…/x y/z")'],
      ["open 'C:\\Users\\me\\index.db'", "open '…/index.db'"],
      ["file:///etc/passwd", "file:///etc/passwd"],
      [
        "http://localhost:11434/api/embed does not answer",
        "http://localhost:11434/api/embed does not answer"
      ],
      ["handbook/guide/a.md was not indexed", "handbook/guide/a.md was not indexed"],
      ["3 / 4 of the files", "3 / 4 of the files"]
    ]
    for (const [message, expected] of cases) assert.strictEqual(redactPaths(message), expected)
  })
})
