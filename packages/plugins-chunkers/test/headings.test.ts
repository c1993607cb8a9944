import { assert, describe, it } from "@effect/vitest"
import { split, shown } from "./splitting.ts"

describe("headings", () => {
  const cases: Readonly<Record<string, readonly [string, ReadonlyArray<readonly [string, string]>]>> = {
    "sibling H2 without H1": [
      "## A\na\n## B\nb\n## C\nc",
      [
        ["A", "## A\na"],
        ["B", "## B\nb"],
        ["C", "## C\nc"]
      ]
    ],
    "H3 then H2": [
      "### X\nx\n## Y\ny\n# Z\nz",
      [
        ["X", "### X\nx"],
        ["Y", "## Y\ny"],
        ["Z", "# Z\nz"]
      ]
    ],
    "a skipped level": [
      "# T\n### A\na\n### B\nb",
      [
        ["T > A", "# T\n### A\na"],
        ["T > B", "T\n### B\nb"]
      ]
    ],
    "an empty heading swallows nothing and ends its siblings": [
      "# T\n## A\na\n##\n\nParagraph text\n\nmore",
      [
        ["T > A", "# T\n## A\na"],
        ["T", "T\n##\n\nParagraph text\n\nmore"]
      ]
    ],
    "H4 to H6": [
      "# T\n#### D\ntext\n###### F\ndeep\n##### E\nup",
      [
        ["T > D", "# T\n#### D\ntext"],
        ["T > D > F", "T > D\n###### F\ndeep"],
        ["T > D > E", "T > D\n##### E\nup"]
      ]
    ],
    "no space after the hash, and seven hashes": [
      "#NoSpace\ntext\n\n####### seven",
      [["", "#NoSpace\ntext\n\n####### seven"]]
    ],
    "closing hashes": ["# Title #\ntext", [["Title", "# Title #\ntext"]]],
    "indented by one to three spaces": ["   ## Ind\ntext", [["Ind", "   ## Ind\ntext"]]],
    setext: [
      "Title\n=====\ntext\n\nSub\n---\nmore",
      [
        ["Title", "Title\n=====\ntext"],
        ["Title > Sub", "Title\nSub\n---\nmore"]
      ]
    ],
    "a tilde fence": [
      "# T\n~~~bash\n# not a header\n~~~\nend",
      [["T", "# T\n~~~bash\n# not a header\n~~~\nend"]]
    ],
    "a four-back-tick fence with an inner fence": [
      "# T\n````md\n```js\nx\n```\n# inner\n````\nend\n## R\nr",
      [
        ["T", "# T\n````md\n```js\nx\n```\n# inner\n````\nend"],
        ["T > R", "T\n## R\nr"]
      ]
    ],
    "an unclosed fence, closed in the chunk": [
      "# T\n```bash\n# comment\necho 1",
      [["T", "# T\n```bash\n# comment\necho 1\n```"]]
    ],
    "inline back-ticks before a real fence": [
      "# T\nUse ``` to open.\n\n```bash\n# comment\n```\n\n## Real\nbody\n\n```\ncode\n```\n",
      [
        ["T", "# T\nUse ``` to open.\n\n```bash\n# comment\n```"],
        ["T > Real", "T\n## Real\nbody\n\n```\ncode\n```"]
      ]
    ],
    "indented code keeps its indentation": [
      "# T\n\n    # comment\n    x\n\nend",
      [["T", "# T\n\n    # comment\n    x\n\nend"]]
    ],
    "an HTML comment": ["# T\n<!--\n# hidden\n-->\nend", [["T", "# T\n<!--\n# hidden\n-->\nend"]]],
    "front matter is no text": ["---\ntitle: x\n# c\n---\n# T\nb", [["T", "# T\nb"]]],
    "faulty front matter is text": [
      "---\na: [\n---\n\nb",
      [
        ["", "---"],
        ["a: [", "a: [\n---\n\nb"]
      ]
    ],
    "a byte-order mark": ["\uFEFF# A\nx", [["A", "# A\nx"]]],
    CRLF: [
      "# A\r\nx\r\n\r\n## B\r\ny",
      [
        ["A", "# A\r\nx"],
        ["A > B", "A\n## B\r\ny"]
      ]
    ],
    "a lone CR": [
      "# A\rx\r\r## B\ry",
      [
        ["A", "# A\rx"],
        ["A > B", "A\n## B\ry"]
      ]
    ],
    "NUL and the original's placeholder stay as they are": [
      "# A\n\0FENCE0\0\n\n```\ncode\n```",
      [["A", "# A\n\0FENCE0\0\n\n```\ncode\n```"]]
    ],
    "headings in quotes and lists belong to their block": [
      "# A\n> # Q\n> q\n\n- # L\n  l",
      [["A", "# A\n> # Q\n> q\n\n- # L\n  l"]]
    ],
    "headings without text of their own go with the first below them": [
      "# A\n## B\n### C\ntext",
      [["A > B > C", "# A\n## B\n### C\ntext"]]
    ],
    "a heading with nothing below it stands alone": [
      "# A\n## B\n## C\ntext\n# D",
      [
        ["A > B", "# A\n## B"],
        ["A > C", "A\n## C\ntext"],
        ["D", "# D"]
      ]
    ],
    "a short document is a chunk too": ["# A", [["A", "# A"]]],
    "white space is none": [" \n ", []],
    "blank lines inside stay, at the end they go": [
      "# A\np\n\n\n\np\n\n\n\np\n\n\n\n",
      [["A", "# A\np\n\n\n\np\n\n\n\np"]]
    ],
    "text before the first heading": [
      "intro\n\n# A\na",
      [
        ["", "intro"],
        ["A", "# A\na"]
      ]
    ]
  }
  for (const [name, [input, expected]] of Object.entries(cases)) {
    it(`${name}`, () => {
      assert.deepStrictEqual(shown(input), expected)
    })
  }

  it("gives lines and offsets of the source", () => {
    const [first, second] = split("intro\r\n\r\n# A\r\n\r\na\r\n")
    assert.deepInclude(first, { start: 0, end: 5, startLine: 1, endLine: 1, bodyOffset: 0, index: 0 })
    assert.deepInclude(second, { start: 9, end: 17, startLine: 3, endLine: 5, bodyOffset: 0, index: 1 })
  })

  it("keeps a path exact where it cuts the headings it begins with", () => {
    const long = "h".repeat(97)
    const paths = split(`# ${long}\n## a\ntext`, { maxLength: 100 }).map((chunk) => chunk.headingPath)
    assert.deepStrictEqual(paths, [[long], [long, "a"]])
  })
})
