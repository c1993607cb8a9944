import { assert, describe, it } from "@effect/vitest"
import { selectQuotes } from "../../src/answering/selectQuotes.ts"
import { queryTerms } from "../../src/language/terms.ts"
import type { Passage } from "../../src/ports/AnswerGenerator.ts"
import { passage } from "@omnirag/testkit/passages"

/** What is quoted, with every term of the question equally rare. */
const quotes = (question: string, passages: ReadonlyArray<Passage>, most = 3) =>
  selectQuotes(
    { question, passages, termWeights: new Map(queryTerms(question).map((term) => [term, 2])) },
    most
  ).map(({ text }) => text)

describe("selectQuotes", () => {
  it("prefers the sentence that answers to those that only share the subject", () => {
    const text =
      "Walrus Server is written in Rust. Walrus Server has a website. Walrus Server keeps backups for thirty days. Walrus Server is free."
    assert.strictEqual(
      quotes("How long does Walrus Server keep backups?", [passage(1, text)])[0],
      "Walrus Server keeps backups for thirty days."
    )
  })

  it("counts what the headings say for the sentences below them", () => {
    const found = quotes("What is the default timeout of the archive?", [
      passage(1, "The default timeout is ten seconds.", ["Gateway"]),
      passage(2, "The default timeout is ninety seconds.", ["Archive"])
    ])
    assert.strictEqual(found[0], "The default timeout is ninety seconds.")
  })

  it("says the same thing once", () => {
    const same = "The archive is kept for ninety days."
    assert.deepStrictEqual(quotes("How long is the archive kept?", [passage(1, same), passage(2, same)]), [
      same
    ])
  })

  it("takes in the sentence a quotation leans on, and the one that leans on it", () => {
    const text =
      "Backups run nightly. They are kept in the walrus bucket. Nobody reads them. Logs are elsewhere."
    assert.strictEqual(
      quotes("Where is the walrus bucket?", [passage(1, text)])[0],
      "Backups run nightly. They are kept in the walrus bucket."
    )
  })

  it("prefers code when the question asks how, and prose when it does not", () => {
    const text =
      "The archive job compacts the archive.\n\nOther things stand here.\n\n```sh\nomnictl compact archive\n```"
    assert.strictEqual(
      quotes("How do I compact the archive?", [passage(1, text)])[0]?.startsWith("```sh"),
      true
    )
    assert.strictEqual(
      quotes("What does compact the archive?", [passage(1, text)])[0],
      "The archive job compacts the archive."
    )
  })

  it("quotes no more than asked for, without overlaps, and nothing where nothing is about the question", () => {
    const text = Array.from(
      { length: 20 },
      (_, n) => `Archive number ${n} holds walrus pictures of year ${n}.`
    ).join(" ")
    assert.strictEqual(quotes("Which archive holds walrus pictures?", [passage(1, text)], 2).length, 2)
    assert.deepStrictEqual(quotes("Which archive holds walrus pictures?", []), [])
    assert.deepStrictEqual(quotes("???", [passage(1, "Words.")]), [])
  })
})
