import { assert, describe, it } from "@effect/vitest"
import { questionWords } from "../../src/answering/questionWords.ts"
import { relevance } from "../../src/answering/relevance.ts"
import { queryTerms } from "../../src/language/terms.ts"
import type { Passage } from "../../src/ports/AnswerGenerator.ts"
import { passage } from "./passages.ts"

const judge = (question: string, passages: ReadonlyArray<Passage>) =>
  relevance(question, passages, new Map(queryTerms(question).map((term) => [term, 2])))
const withCosine = (given: Passage, vector: number): Passage => ({
  ...given,
  hit: { ...given.hit, scores: { ...given.hit.scores, vector } }
})

describe("relevance", () => {
  const archive = passage(1, "The archive is kept for ninety days.")

  it("is the share of the question's words that the best passage holds", () => {
    assert.strictEqual(judge("Where are archives kept?", [archive]).score, 1)
    assert.strictEqual(judge("Where are archives painted?", [archive]).score, 0.5)
    assert.deepStrictEqual(judge("Where are archives painted?", [archive]).missing, ["painted"])
  })

  it("words of different passages do not add up", () => {
    assert.strictEqual(judge("archives painted?", [archive, passage(2, "Walls are painted.")]).score, 0.5)
  })

  it("counts a name twice, and takes off 40 % for one that is nowhere", () => {
    assert.closeTo(judge("Is the archive in Paris?", [archive]).score, 0.6 / 3, 1e-9)
  })

  it("words that frame the question count a quarter", () => {
    assert.strictEqual(judge("Explain archives", [archive]).score, 0.8)
  })

  it("adds the cosine of the passage where vectors were searched", () => {
    assert.closeTo(judge("archives painted?", [withCosine(archive, 0.5)]).score, 0.6 * 0.5 + 0.4 * 0.5, 1e-9)
    assert.closeTo(judge("archives painted?", [withCosine(archive, -1)]).score, 0.3, 1e-9)
  })

  it("is 0 without passages and for a question without words", () => {
    assert.strictEqual(judge("Where are archives kept?", []).score, 0)
    assert.strictEqual(judge("???", [archive]).score, 0)
  })
})

describe("questionWords", () => {
  const shown = (question: string) =>
    questionWords(question).map(({ text, isName }) => (isName ? `*${text}` : text))

  it("finds identifiers, numbers, abbreviations and capitalised words inside a sentence", () => {
    assert.deepStrictEqual(shown("Does RunLogger write run_id to MySQL since version 1.4?"), [
      "*RunLogger",
      "write",
      "*run_id",
      "*MySQL",
      "version",
      "*1.4"
    ])
    assert.deepStrictEqual(shown("Archives live in Paris. Backups go to the SDK"), [
      "Archives",
      "live",
      "*Paris",
      "Backups",
      "go",
      "*SDK"
    ])
  })

  it("does not take a title for a row of names", () => {
    assert.deepStrictEqual(shown("How To Configure The Archive Backup Window"), [
      "Configure",
      "Archive",
      "Backup",
      "Window"
    ])
  })

  it("names each word once", () => {
    assert.deepStrictEqual(shown("archive of archives, Archive"), ["archive"])
  })
})
