import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { abstention, AnswerBuilder, withheld } from "../../src/answering/AnswerBuilder.ts"
import type { Answer, AnswerEvent } from "../../src/domain/Answer.ts"
import type { AnswerPart, Passage } from "../../src/ports/AnswerGenerator.ts"
import { passage } from "@omnirag/testkit/passages"

const passages = [
  passage(1, "The gateway listens on port 8080.\nIt refuses requests without a token."),
  passage(2, "Sessions end after 7 days."),
  passage(3, "Locks live in Redis.")
]
const question = "Where does the gateway listen?"

const messagesOf = ({ warnings }: Answer): ReadonlyArray<string> => warnings.map(({ message }) => message)

const build = (
  parts: ReadonlyArray<AnswerPart>,
  strict = false,
  given: ReadonlyArray<Passage> = passages
) => {
  const builder = new AnswerBuilder({
    question,
    sources: given.map(({ hit }) => hit),
    passages: given,
    warnings: [],
    strict
  })
  const events = [...parts.flatMap((part) => builder.add(part)), ...builder.finish()]
  const last = events.at(-1)
  if (last?._tag !== "Done") throw new Error("no Done")
  return { events, answer: last.answer }
}
const texts = (pieces: ReadonlyArray<string>): ReadonlyArray<AnswerPart> =>
  pieces.map((text) => ({ _tag: "Text", text }))
const streamed = (events: ReadonlyArray<AnswerEvent>): string =>
  events.map((event) => (event._tag === "Token" ? event.text : "")).join("")
const cited = ({ citations }: Answer) => citations.map((citation) => citation.passage)

describe("AnswerBuilder", () => {
  it("shows no half of a marker, flags [9], and cites 2, 1, 3 with their ranges (T14)", () => {
    const { events, answer } = build(texts("X| |[|2|]|. Y |[|9|]|. Z [1|][|3]".split("|")))
    assert.strictEqual(answer.text, "X [2]. Y. Z [1][3]")
    assert.isTrue(events.every((event) => event._tag !== "Token" || /^[^[\]]*(\[\d\])?$/.test(event.text)))
    assert.deepStrictEqual(cited(answer), [2, 1, 3])
    assert.deepStrictEqual(
      events.flatMap((event) => (event._tag === "CitationEvent" ? [event.citation] : [])),
      [...answer.citations]
    )
    const { chunk, path } = passages[1]?.hit ?? assert.fail()
    assert.deepInclude(answer.citations[0], {
      chunkId: chunk.id,
      documentId: chunk.documentId,
      path,
      headingPath: ["Guide"],
      start: 0,
      end: chunk.text.length,
      quote: chunk.text
    })
    assert.include(messagesOf(answer), "citations that name no passage were removed: [9]")
  })

  it("a range is cited once, however often it is marked", () => {
    const { events, answer } = build(texts(["a [2] b [2]. c [2]"]))
    assert.strictEqual(answer.text, "a [2] b [2]. c [2]")
    assert.strictEqual(events.filter(({ _tag }) => _tag === "CitationEvent").length, 1)
  })

  it("a quotation is verbatim, with its exact range and lines", () => {
    const { answer } = build([{ _tag: "Quote", passage: 1, start: 34, end: 70 }])
    assert.strictEqual(answer.text, "It refuses requests without a token. [1]")
    assert.deepInclude(answer.citations[0], {
      start: 34,
      end: 70,
      startLine: 2,
      endLine: 2,
      quote: "It refuses requests without a token."
    })
  })

  it("markers stay out of fences and tables, and a cut fence is closed", () => {
    const code = passage(1, "```sh\nmake all\nmake test\n```")
    const table = passage(2, "| a | b |\n|---|---|\n| 1 | 2 |")
    const { answer } = build(
      [
        { _tag: "Quote", passage: 1, start: 0, end: 28 },
        { _tag: "Quote", passage: 1, start: 0, end: 14 },
        { _tag: "Quote", passage: 2, start: 0, end: 29 }
      ],
      false,
      [code, table]
    )
    assert.strictEqual(
      answer.text,
      "```sh\nmake all\nmake test\n```\n\n[1]\n\n```sh\nmake all\n```\n\n[1]\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[2]"
    )
    assert.deepStrictEqual(
      answer.citations.map(({ quote }) => quote),
      ["```sh\nmake all\nmake test\n```", "```sh\nmake all", "| a | b |\n|---|---|\n| 1 | 2 |"]
    )
  })

  it("a quotation outside of its passage is held to it", () => {
    const { answer } = build([{ _tag: "Quote", passage: 3, start: -5, end: 900 }])
    assert.deepInclude(answer.citations[0], { start: 0, end: 20, quote: "Locks live in Redis." })
  })

  it("passages the model was not shown cannot be cited", () => {
    const { answer } = build([{ _tag: "Passages", numbers: [1] }, ...texts(["On 8080 [1], not [2]."])])
    assert.strictEqual(answer.text, "On 8080 [1], not.")
    assert.deepStrictEqual(cited(answer), [1])
    assert.strictEqual(answer.evaluation.chunksUsed, 1)
  })

  it("an answer of nothing but markers keeps the valid ones; without a valid one it is the abstention", () => {
    const valid = build(texts(["[1]", "[9][2]"])).answer
    assert.deepStrictEqual([valid.text, valid.abstained, cited(valid)], ["[1][2]", false, [1, 2]])
    for (const strict of [false, true]) {
      const { answer, events } = build(texts(["[9", "]\n [7-8]"]), strict)
      assert.deepStrictEqual([answer.text.trim(), answer.abstained, answer.citations], [abstention, true, []])
      assert.strictEqual(streamed(events), answer.text)
      assert.deepStrictEqual(messagesOf(answer), [
        "the answer has no text",
        "citations that name no passage were removed: [9], [7], [8]"
      ])
    }
  })

  it("names no more than twenty of the citations it removed", () => {
    const { answer } = build(texts(["No [4-28]."]))
    const named = Array.from({ length: 20 }, (_, index) => `[${index + 4}]`).join(", ")
    assert.deepStrictEqual(messagesOf(answer), [
      `citations that name no passage were removed: ${named} and 5 more`
    ])
  })

  it("a range and brackets of other scripts come out as markers", () => {
    const { answer } = build(texts(["Both [1", "-2]. 三【", "3】。"]))
    assert.deepStrictEqual([answer.text, cited(answer)], ["Both [1][2]. 三[3]。", [1, 2, 3]])
  })

  it("unsupported sentences are reported and lower the verdict by one step", () => {
    const supported = build(texts(["The gateway listens on port 8080 [1]."])).answer
    assert.deepStrictEqual([supported.evaluation.verdict, supported.unsupported], ["excellent", []])
    const { answer } = build(texts(["The gateway listens on port 8080 [1]. Telnet uses 2323."]))
    assert.deepStrictEqual(answer.unsupported, ["Telnet uses 2323."])
    assert.strictEqual(answer.evaluation.verdict, "good")
    assert.strictEqual(answer.evaluation.overall, supported.evaluation.overall)
    assert.deepStrictEqual(messagesOf(answer), ["not in the passages: 2323 (in: Telnet uses 2323.)"])
  })
})

describe("a strict answer", () => {
  it("releases text sentence by sentence", () => {
    const builder = new AnswerBuilder({
      question,
      sources: passages.map(({ hit }) => hit),
      passages,
      warnings: [],
      strict: true
    })
    const steps = ["The gateway ", "listens on 8080 [1", "]. Sess", "ions end after 7 days [2]."].map(
      (text) => streamed(builder.add({ _tag: "Text", text }))
    )
    assert.deepStrictEqual(steps, ["", "", "The gateway listens on 8080 [1].", ""])
    assert.strictEqual(streamed(builder.finish()), " Sessions end after 7 days [2].")
  })

  it("ends at the first unsupported sentence, and what went out before stays", () => {
    const { events, answer } = build(
      texts(["The gateway listens on 8080 [1]. It was written by Ada ", "in 1843. Locks live in Redis [3]."]),
      true
    )
    assert.strictEqual(answer.text, `The gateway listens on 8080 [1].\n\n${withheld}`)
    assert.strictEqual(streamed(events), answer.text)
    assert.isTrue(answer.abstained)
    assert.deepStrictEqual(cited(answer), [1])
    assert.deepStrictEqual(answer.unsupported, ["It was written by Ada in 1843."])
    assert.strictEqual(answer.evaluation.verdict, "unsafe")
  })

  it("is the abstention when nothing went out before", () => {
    const { answer } = build(texts(["Ada wrote it in 1843 [1]."]), true)
    assert.deepStrictEqual([answer.text, answer.abstained, answer.citations], [abstention, true, []])
  })

  it("takes a sentence that never ends in its stride", () => {
    // a model that repeats itself; looking at all of it with each word would take minutes
    const { answer, events } = build(texts(Array.from({ length: 40_000 }, () => "gateway ")), true)
    assert.strictEqual(answer.text, "gateway ".repeat(40_000))
    assert.strictEqual(streamed(events), answer.text)
  })

  it("does not doubt quotations", () => {
    const { answer } = build([{ _tag: "Quote", passage: 2, start: 0, end: 26 }], true)
    assert.deepStrictEqual([answer.text, answer.unsupported], ["Sessions end after 7 days. [2]", []])
  })
})

describe("every answer", () => {
  const piece = fc.constantFrom(
    "The gateway",
    " listens on 8080",
    ".",
    " ",
    "[1]",
    "[",
    "2",
    "]",
    " [9]",
    "[1-2]",
    "【3】",
    "\n\n",
    "Ada 1843",
    "`",
    "```",
    "- "
  )
  it("streams exactly the text it ends with, strict or not, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, strict) => {
        const { events, answer } = build(texts(pieces), strict)
        assert.strictEqual(streamed(events), answer.text)
        const whole = build(texts([pieces.join("")]), strict).answer
        if (!strict) assert.strictEqual(answer.text, whole.text)
        assert.deepStrictEqual(events.filter(({ _tag }) => _tag === "Done").length, 1)
        for (const { quote, passage: number, start, end } of answer.citations) {
          assert.strictEqual(passages[number - 1]?.hit.chunk.text.slice(start, end), quote)
        }
      })
    )
  })
})
