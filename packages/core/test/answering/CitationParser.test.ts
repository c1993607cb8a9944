import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { CitationParser, type ParsedPiece } from "../../src/answering/CitationParser.ts"

/** All pieces of a text that arrives as `parts`, neighbouring texts joined. */
const parse = (parts: ReadonlyArray<string>, passages = [1, 2, 3]): ReadonlyArray<ParsedPiece> => {
  const parser = new CitationParser(passages)
  const pieces = [...parts.flatMap((part) => parser.push(part)), ...parser.end()]
  return pieces.reduce<Array<ParsedPiece>>((joined, piece) => {
    const before = joined.at(-1)
    if (piece._tag === "Text" && before?._tag === "Text") {
      joined[joined.length - 1] = { _tag: "Text", text: before.text + piece.text }
    } else joined.push(piece)
    return joined
  }, [])
}

/** Pieces as one line: markers as ⟨n⟩, removed ones as ✗n. */
const shown = (pieces: ReadonlyArray<ParsedPiece>): string =>
  pieces
    .map((piece) => {
      if (piece._tag === "Text") return piece.text
      return piece._tag === "Marker" ? `⟨${piece.passage}⟩` : `✗${piece.marker.slice(1, -1)}`
    })
    .join("")

describe("CitationParser", () => {
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["markers in prose, one that names no passage (T14)", "X [2]. Y [9]. Z [1][3]", "X ⟨2⟩. Y✗9. Z ⟨1⟩⟨3⟩"],
    ["glued to the word before", "on port 8080[1].", "on port 8080⟨1⟩."],
    ["several numbers in one bracket", "both [1, 2] and [ 3 ,9 ]", "both ⟨1⟩⟨2⟩ and ⟨3⟩✗9"],
    ["nothing valid in the bracket", "none [7, 8] here", "none✗7✗8 here"],
    ["on lines of their own", "a\n[1]\n[9]\nb", "a\n⟨1⟩\n✗9\nb"],
    ["in a bracket of its own", "see [[1]]", "see [⟨1⟩]"],
    ["an index in a code span", "call `arr[1]` or ``a`[2]`` [2]", "call `arr[1]` or ``a`[2]`` ⟨2⟩"],
    ["a fence", "Run [1]:\n```ts\nx[1] = [2]\n```\nDone [2]", "Run ⟨1⟩:\n```ts\nx[1] = [2]\n```\nDone ⟨2⟩"],
    ["a fence of four with one of three inside", "````\n```\n[1]\n````\n[1]", "````\n```\n[1]\n````\n⟨1⟩"],
    ["a back-tick that is never closed", "a ` b [1]\nc [2]", "a ` b [1]\nc ⟨2⟩"],
    ["a fence of tildes", "~~~\nx[1] ```\n~~~\n[1]", "~~~\nx[1] ```\n~~~\n⟨1⟩"],
    [
      "a fence in a list",
      "1. Run:\n\n   ```sh\n   a[1]\n   ```\n\n   [1]",
      "1. Run:\n\n   ```sh\n   a[1]\n   ```\n\n   ⟨1⟩"
    ],
    ["a fence at an item", "- ```sh\n  a[1]\n  ```\n- b [1]", "- ```sh\n  a[1]\n  ```\n- b ⟨1⟩"],
    ["a fence in a quotation", "> ```\n> a[1]\n> ```\n[1]", "> ```\n> a[1]\n> ```\n⟨1⟩"],
    [
      "a span of three back-ticks",
      "```curl a[1]``` starts it [1].\n[2]",
      "```curl a[1]``` starts it ⟨1⟩.\n⟨2⟩"
    ],
    ["a span of three, glued to a word", "```a[1]```s [1]\n[2]", "```a[1]```s ⟨1⟩\n⟨2⟩"],
    ["an opening fence inside a fence", "```md\n```js\na[1]\n```\n[1]", "```md\n```js\na[1]\n```\n⟨1⟩"],
    ["a marker behind the end of a fence", "```\na[1]\n``` [1]", "```\na[1]\n``` ⟨1⟩"],
    ["tildes in prose", "~~old [1]~~ ~5 [2]", "~~old ⟨1⟩~~ ~5 ⟨2⟩"],
    ["a range", "all [1-3], [2 – 3] and [1,2-4]", "all ⟨1⟩⟨2⟩⟨3⟩, ⟨2⟩⟨3⟩ and ⟨1⟩⟨2⟩⟨3⟩✗4"],
    [
      "a range that is none",
      "[3-1] [1-999] [2020-2024] [1--2] [1-]",
      "[3-1] [1-999] [2020-2024] [1--2] [1-]"
    ],
    ["brackets of other scripts", "甲【1】，乙［2］。丙【1，3】【9】", "甲⟨1⟩，乙⟨2⟩。丙⟨1⟩⟨3⟩✗9"],
    ["with a place behind a dagger", "so【2†L3-L5】 or 【9†source】.", "so⟨2⟩ or✗9."],
    ["brackets of two kinds", "【1] and [1】 and 【a】", "【1] and [1】 and 【a】"],
    ["a bracket over two lines", "[\n```\n[1]\n```\n1]", "[\n```\n[1]\n```\n1]"],
    ["an index from 0", "arr[0] and [0, 1]", "arr[0] and [0, 1]"],
    ["links", "[text](http://a) [1](http://b) ![2](c.png)", "[text](http://a) [1](http://b) ![2](c.png)"],
    ["footnotes and boxes", "[^1] [ ] [x] [] [1a] [a1] [-1] [1.5]", "[^1] [ ] [x] [] [1a] [a1] [-1] [1.5]"],
    ["behind a backslash", "\\[1] and \\\\[1]", "\\[1] and \\\\⟨1⟩"],
    ["bad lists", "[,1] [1,] [1,,2] [1 2]", "[,1] [1,] [1,,2] [1 2]"],
    ["a bracket that is never closed", "the end [1", "the end [1"],
    ["blanks at the end", "the end  ", "the end  "],
    ["a bracket too long to wait for", `[${"1,".repeat(30)}1]`, `[${"1,".repeat(30)}1]`],
    ["numbers too long to be one", "[1234567] [000001]", "[1234567] [000001]"],
    ["characters of two units", "😀[1]😀 [9]😀", "😀⟨1⟩😀✗9😀"],
    ["nothing", "", ""]
  ]
  for (const [name, text, expected] of cases) {
    it(`${name}`, () => {
      assert.strictEqual(shown(parse([text])), expected)
      assert.strictEqual(shown(parse(text.split(""))), expected)
    })
  }

  it("keeps what may become a marker back until it is known", () => {
    const parser = new CitationParser([1, 2])
    const steps = ["X", " ", "[", "2", "]", ".", " [", "9", "]", "!"].map((piece) =>
      shown(parser.push(piece))
    )
    assert.deepStrictEqual(steps, ["X", "", "", "", "", " ⟨2⟩.", "", "", "", "✗9!"])
    assert.deepStrictEqual(parser.end(), [])
  })

  it("a marker at the very end comes with the end", () => {
    const parser = new CitationParser([1])
    assert.strictEqual(shown(parser.push("X [1]")), "X")
    assert.strictEqual(shown(parser.end()), " ⟨1⟩")
  })

  const noise = fc
    .array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            "[1]",
            "[2]",
            "[9]",
            "[1, 3]",
            "[1-3]",
            "【1】",
            "【2†a】",
            "[",
            "]",
            "【",
            "】",
            "(",
            "`",
            "```",
            "~~~",
            "\n",
            "> ",
            "- ",
            "\\"
          )
        },
        fc.constantFrom(" ", "\t", ",", "-", "†", "word", "arr[0]", "[^1]", "😀", "é", "0", "12", "~")
      ),
      { maxLength: 40 }
    )
    .map((parts) => parts.join(""))
  const cut = (text: string, at: ReadonlyArray<number>): ReadonlyArray<string> => {
    const places = [...new Set(at.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b)
    return [0, ...places].map((place, index) => text.slice(place, places[index] ?? text.length))
  }

  it("gives the same pieces wherever the text is cut", () => {
    fc.assert(
      fc.property(noise, fc.array(fc.nat(200), { maxLength: 20 }), (text, at) => {
        assert.deepStrictEqual(parse(cut(text, at)), parse([text]))
        assert.deepStrictEqual(parse(text.split("")), parse([text]))
      }),
      { numRuns: 2_000 }
    )
  })

  it("leaves numbers that begin with a 0 as they are", () => {
    assert.deepStrictEqual(parse(["x [012] [0]"]), [{ _tag: "Text", text: "x [012] [0]" }])
  })

  it("loses nothing but blanks before markers that are taken out", () => {
    fc.assert(
      fc.property(noise, (text) => {
        const pieces = parse([text])
        const restored = pieces
          .map((piece) =>
            piece._tag === "Text" ? piece.text : piece._tag === "Marker" ? `[${piece.passage}]` : piece.marker
          )
          .join("")
        // what markers are written with may be written otherwise when they come out: ranges, brackets, daggers
        const bare = (value: string) => value.replace(/†a|[\s[\]【】,†\d-]/g, "")
        assert.strictEqual(bare(restored), bare(text))
      }),
      { numRuns: 2_000 }
    )
  })
})
