import { assert, describe, it } from "@effect/vitest"
import { firstHeading } from "../src/loaders/firstHeading.ts"

const cases: ReadonlyArray<readonly [name: string, text: string, title: string | undefined]> = [
  ["an ATX heading", "# One\n", "One"],
  ["any level", "text\n\n#### Four ####\n# One\n", "Four"],
  ["up to three spaces before it", "   ## Two\n", "Two"],
  ["CRLF", "intro\r\n\r\n# One\r\nx", "One"],
  ["setext with =", "One\n===\n", "One"],
  ["setext with -, over two lines", "\nOne\ntwo\n---\n", "One two"],
  ["no space is no heading", "#NoSpace\n", undefined],
  ["seven hashes are no heading", "####### x\n", undefined],
  ["a bare ## has no words", "##\n\n# One\n", "One"],
  ["a rule after a blank line underlines nothing", "text\n\n---\n\n# One\n", "One"],
  ["a rule after a list underlines nothing", "- item\n---\n# One\n", "One"],
  ["a fence hides headings", "```sh\n# no\n```\n# One\n", "One"],
  ["a longer fence", "````md\n```\n# no\n```\n````\n# One", "One"],
  ["a tilde fence", "~~~\n# no\n```\n~~~\n# One", "One"],
  ["an unclosed fence hides the rest", "```\n# no\n", undefined],
  ["inline back-ticks are no fence", "``` a ``` b\n# One\n", "One"],
  ["an HTML comment hides headings", "<!-- x\n# no\n-->\n# One\n", "One"],
  ["a comment on one line ends there", "<!-- x -->\n# One\n", "One"],
  ["indented code is no heading", "    # no\n\n# One\n", "One"],
  [
    "inline markup leaves its words",
    "# The `foo()` of **bar** [docs](http://x) ![i](y) <b>z</b> {#id}\n",
    "The foo() of bar docs z"
  ],
  ["escapes", "# 1\\. \\*x\\*\n", "1. *x*"],
  ["underscores of names stay", "# snake_case_name\n", "snake_case_name"],
  ["a picture alone has no words", "# ![logo](x.png)\n\n## Name\n", "Name"],
  ["nothing", "", undefined]
]

describe("firstHeading", () => {
  for (const [name, text, title] of cases) {
    it(`${name}`, () => assert.strictEqual(firstHeading(text, 0), title))
  }

  it("starts where it is told", () => {
    const text = "---\n# not YAML\n---\n# One\n"
    assert.strictEqual(firstHeading(text, text.indexOf("# One")), "One")
  })

  it("cuts a long heading and gets over a huge line", () => {
    assert.strictEqual(firstHeading(`# ${"x".repeat(3_000)}`, 0), "x".repeat(200))
    assert.strictEqual(firstHeading(`${"word ".repeat(3_000_000)}\n# One\n`, 0), "One")
    for (const hostile of ["[", "![", "<a", "`", "*", "{#", "\\", "[](", "~~", "# "])
      assert.isTrue((firstHeading(`# ${hostile.repeat(500_000)}`, 0) ?? "").length <= 200)
  })
})
