import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ThoughtTags } from "../../src/ollama/ThoughtTags.ts"

/** What is said in all, thoughts and text apart. */
const hear = (pieces: ReadonlyArray<string>) => {
  const tags = new ThoughtTags()
  const spoken = [...pieces.flatMap((piece) => tags.push(piece)), ...tags.end()]
  const join = (kind: "reasoning" | "text") =>
    spoken.map((piece) => (piece.kind === kind ? piece.text : "")).join("")
  return [join("reasoning"), join("text")]
}

describe("ThoughtTags", () => {
  const cases: ReadonlyArray<readonly [string, string, string, string]> = [
    [
      "thoughts before the answer",
      "<think>\nhm, [1]?\n</think>\n\nPort 80 [1].",
      "\nhm, [1]?\n",
      "Port 80 [1]."
    ],
    ["no thoughts in the tags", "<think>\n\n</think>\n\nYes.", "\n\n", "Yes."],
    ["blanks before, another tag, capitals", " \n<THINKING>a</thinking>b", "a", "b"],
    ["a tag of another kind inside", "<think>a </thought> </thin</think>b", "a </thought> </thin", "b"],
    ["thoughts that never end", "<think>hm </thin", "hm </thin", ""],
    ["tags later in the text", "Write <think>a</think>.", "", "Write <think>a</think>."],
    ["something like a tag", "<thin ice", "", "<thin ice"],
    ["a beginning of a tag, and no more", "<thi", "", "<thi"],
    ["tags again behind the thoughts", "<think>a</think><think>b</think>", "a", "<think>b</think>"],
    ["an answer that begins with blanks", "  Yes ", "", "  Yes "],
    ["nothing", "", "", ""]
  ]
  for (const [name, said, reasoning, text] of cases) {
    it(name, () => {
      assert.deepStrictEqual(hear([said]), [reasoning, text])
      assert.deepStrictEqual(hear([...said]), [reasoning, text])
    })
  }

  it("hears the same however it is cut", () => {
    const part = fc.constantFrom(
      "<think>",
      "</think>",
      "<",
      "think",
      ">",
      "/",
      " ",
      "\n",
      "a",
      "İ",
      "<thinking>"
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const whole = parts.join("")
        assert.deepStrictEqual(hear(parts), hear([whole]))
        assert.deepStrictEqual(hear([...whole]), hear([whole]))
      }),
      { numRuns: 2_000 }
    )
  })
})
