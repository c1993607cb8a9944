import { assert, describe, it } from "@effect/vitest"
import { Chunker } from "@omnirag/core/app"
import { chunkFaults, sampleDocument } from "@omnirag/core/testing"
import { Effect, Stream } from "effect"
import { makeMarkdownChunker } from "../src/markdown/makeMarkdownChunker.ts"
import { chunkers, markdownChunker } from "../src/index.ts"
import { defaults, split, splitDocument, textsOf } from "./splitting.ts"

describe("the plugin", () => {
  it.effect("has defaults and a fingerprint that follows the options", () =>
    Effect.gen(function* () {
      const fingerprint = (options: unknown) =>
        Effect.map(Effect.provide(Chunker, markdownChunker.build(options)), (chunker) => chunker.fingerprint)
      assert.strictEqual(yield* fingerprint({}), makeMarkdownChunker(defaults).fingerprint)
      assert.notStrictEqual(yield* fingerprint({ maxLength: 1_999 }), yield* fingerprint({}))
      assert.notStrictEqual(yield* fingerprint({ minLength: 9 }), yield* fingerprint({}))
      assert.notStrictEqual(yield* fingerprint({ overlap: 1 }), yield* fingerprint({}))
      assert.deepStrictEqual(
        chunkers.map((chunker) => [chunker.kind, chunker.name]),
        [["chunker", "markdown"]]
      )
    })
  )

  it.effect("refuses an overlap that is not less than the limit, at its path (T4)", () =>
    Effect.gen(function* () {
      for (const overlap of [100, 101, 5_000]) {
        assert.deepStrictEqual(yield* markdownChunker.check({ maxLength: 100, overlap }), [
          { path: "overlap", message: "must be less than maxLength (100)" }
        ])
      }
      assert.deepStrictEqual(yield* markdownChunker.check({ maxLength: 100, overlap: 99 }), [])
      assert.deepStrictEqual(yield* markdownChunker.check({ maxLength: 100, minLength: 26 }), [
        { path: "minLength", message: "must not be more than a quarter of maxLength (100)" }
      ])
    })
  )

  it.effect("reports every fault of its options", () =>
    Effect.gen(function* () {
      const faults = yield* markdownChunker.check({ maxLength: 99, minLength: -1, overlap: 1.5, size: 3 })
      assert.deepStrictEqual(faults.map((fault) => fault.path).toSorted(), [
        "maxLength",
        "minLength",
        "overlap",
        "size"
      ])
    })
  )

  it.effect("makes chunks when they are asked for", () =>
    Effect.gen(function* () {
      const text = "# A\n\nSome text.\n\n".repeat(100_000)
      const chunks = yield* makeMarkdownChunker(defaults)
        .split(sampleDocument(text))
        .pipe(Stream.take(3), Stream.runCollect)
      assert.deepStrictEqual(
        chunks.map((chunk) => chunk.start),
        [0, 17, 34]
      )
    })
  )
})

describe("overlap", () => {
  it("ends and keeps the limit whatever the overlap is (T4)", () => {
    const text = `x ${"a".repeat(5_000)}`
    for (const overlap of [0, 20, 50, 99]) {
      const options = { ...defaults, maxLength: 100, overlap }
      const chunks = split(text, options)
      assert.deepStrictEqual(chunkFaults(sampleDocument(text), chunks, options), [])
      assert.isAtMost(chunks.length, 101)
    }
  })

  it("repeats the end of the piece before from the start of a word, outside the range", () => {
    const words = Array.from({ length: 200 }, (_, word) => `word${word}`).join(" ")
    const chunks = split(`# A\n${words}`, { maxLength: 200, overlap: 30 })
    assert.isAbove(chunks.length, 5)
    for (const [index, chunk] of chunks.entries()) {
      const before = chunks[index - 1]
      if (before === undefined) continue
      const lead = chunk.text.slice(0, chunk.bodyOffset)
      assert.match(lead, /^A\n(word\d+ )+$/)
      const repeated = lead.slice("A\n".length).trimEnd()
      assert.isAtMost(repeated.length, 30)
      assert.isAtLeast(repeated.length, 20)
      assert.isTrue(before.text.endsWith(repeated))
      assert.isAtLeast(chunk.start, before.end)
    }
  })

  it("does not reach into another section, into the heading, or out of a fence", () => {
    const sections = split("# A\nsome text here\n# B\nother text here", { maxLength: 200, overlap: 50 })
    assert.deepStrictEqual(textsOf(sections), ["# A\nsome text here", "# B\nother text here"])
    const text = `Words before.\n\n\`\`\`js\n${Array.from({ length: 60 }, (_, line) => `call(${line})\n`).join("")}\`\`\`\n\nWords after the code, some more of them than would fit.`
    const chunks = split(text, { maxLength: 150, overlap: 40 })
    for (const chunk of chunks) assert.isTrue((chunk.text.match(/```/g) ?? []).length % 2 === 0, chunk.text)
    const repeated = chunks.slice(1).filter((chunk) => /^```js\n(call\(\d+\)\n){2,}/.test(chunk.text))
    assert.isAbove(repeated.length, 1)
  })
})

describe("documents", () => {
  it("plain text has paragraphs and no structure", () => {
    const paragraph = "word ".repeat(30).trim()
    const text = `# no heading\n- no list\n\n${paragraph}\n\n${paragraph}\r\n\r\n${paragraph}\n`
    const chunks = splitDocument(sampleDocument(text, { mediaType: "text/plain" }), { maxLength: 320 })
    assert.deepStrictEqual(textsOf(chunks), [
      `# no heading\n- no list\n\n${paragraph}`,
      `${paragraph}\r\n\r\n${paragraph}`
    ])
    for (const chunk of chunks) assert.deepStrictEqual(chunk.headingPath, [])
  })

  it("a chunk is on the page it begins on", () => {
    const text = "First page.\n\n# Second\n\nText.\n\n# Third\n\nText."
    const pages = [
      { page: 1, start: 0, end: 13 },
      { page: 2, start: 13, end: 30 },
      { page: 3, start: 30, end: text.length }
    ]
    assert.deepStrictEqual(
      splitDocument(sampleDocument(text, { pages })).map((chunk) => chunk.page),
      [1, 2, 3]
    )
  })

  it.effect("a text the parser cannot take is split into paragraphs", () =>
    Effect.gen(function* () {
      const text = `# A\n\n<a${' x="y"'.repeat(2_000_000)}\n\nlast words`
      const document = sampleDocument(text)
      const chunks = yield* Stream.runCollect(
        makeMarkdownChunker({ ...defaults, maxLength: 100_000 }).split(document)
      )
      assert.isTrue(chunks.at(-1)?.text.endsWith("last words"))
      assert.strictEqual(chunks[0]?.start, 0)
    })
  )
})

describe("large inputs are split completely", () => {
  const large: Readonly<Record<string, string>> = {
    "4,000 fences": Array.from({ length: 4_000 }, (_, n) => `\`\`\`js\n# fence ${n}\n\`\`\`\n\n`).join(""),
    "a paragraph of 16 MB": "Some words of a sentence, and more. ".repeat(466_000),
    "a line of 10 MB without white space": "x".repeat(10_000_000),
    "a fence of 5 MB": `\`\`\`\n${"some line of code\n".repeat(280_000)}\`\`\``,
    "deep quotes": `${">".repeat(500)} deep\n`.repeat(2_000),
    "deep lists": Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- item ${depth}\n`)
      .join("")
      .repeat(5),
    "blank lines": `a\n${"\n".repeat(500_000)}b${" ".repeat(500_000)}\n\nc`
  }
  for (const [name, text] of Object.entries(large)) {
    it(`${name}`, () => {
      const chunks = split(text)
      assert.isAbove(chunks.length, 0)
      let end = 0
      for (const chunk of chunks) {
        assert.isAtMost(chunk.text.length, 2_000)
        assert.strictEqual(text.slice(end, chunk.start).trim(), "")
        end = chunk.end
      }
      assert.strictEqual(text.slice(end).trim(), "")
    })
  }
})
