import { assert, describe, it } from "@effect/vitest"
import { frontMatter } from "../../src/language/frontMatter.ts"

describe("frontMatter", () => {
  it("gives scalars their type and lists of scalars as strings", () => {
    const text =
      '---\ntitle: "A: b"\nrank: 3\ndraft: true\nnothing:\ntags: [a, 2, b]\nday: 2024-02-03\n---\n# T\n'
    assert.deepStrictEqual(frontMatter(text), {
      metadata: { title: "A: b", rank: 3, draft: true, tags: ["a", "2", "b"], day: "2024-02-03" },
      end: text.indexOf("# T")
    })
  })

  it("flattens nested values with dots", () => {
    assert.deepStrictEqual(
      frontMatter("---\nauthor:\n  name: Ann\n  mail: {work: x}\nlinks:\n  - url: u\n---\n").metadata,
      { "author.name": "Ann", "author.mail.work": "x", "links.0.url": "u" }
    )
  })

  it("knows a comment, the closing dots, CRLF, lone CR, a byte-order mark and no text after it", () => {
    assert.deepStrictEqual(frontMatter("---\ntitle: x\n# c\n---\n# T\nb"), {
      metadata: { title: "x" },
      end: 21
    })
    assert.deepStrictEqual(frontMatter("---\na: 1\n...\nb"), { metadata: { a: 1 }, end: 13 })
    assert.deepStrictEqual(frontMatter("---\r\na: 1\r\n---\r\nb"), { metadata: { a: 1 }, end: 16 })
    assert.deepStrictEqual(frontMatter("---\ra: 1\r---\rb"), { metadata: { a: 1 }, end: 13 })
    assert.deepStrictEqual(frontMatter("\uFEFF---\na: 1\n---\nb"), { metadata: { a: 1 }, end: 14 })
    assert.deepStrictEqual(frontMatter("---\na: 1\n---"), { metadata: { a: 1 }, end: 12 })
    assert.deepStrictEqual(frontMatter("---\n---\nb"), { metadata: {}, end: 8 })
  })

  it("takes the later of two equal keys", () => {
    assert.deepStrictEqual(frontMatter("---\na: 1\na: 2\n---\n").metadata, { a: 2 })
  })

  it("is not fooled by a thematic break, faulty YAML, an unclosed or an overlong block", () => {
    for (const text of [
      "",
      "# T\n---\na: 1\n---\n",
      "---\n\njust text\n\n---\n",
      "---\n# T\n---\n",
      "---\n- a\n---\n",
      "---\na: [1\n---\n",
      "---\na: 1\n",
      "--- a\na: 1\n---\n",
      `---\na: ${"x".repeat(70_000)}\n---\n`,
      `---\n${"a: 1\n".repeat(20_000)}---\n`
    ]) {
      assert.deepStrictEqual(frontMatter(text), { metadata: {}, end: 0 })
    }
  })

  it("bounds what aliases can stand for", () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `k${n + 1}: &a${n + 1} {${["x", "y", "z"].map((key) => `${key}: *a${n}`).join(", ")}}`
    )
    const { metadata } = frontMatter(`---\nk0: &a0 v\n${levels.join("\n")}\n---\n`)
    assert.isAtMost(Object.keys(metadata).length, 1_000)
    assert.strictEqual(metadata["k1.y"], "v")
  })
})
