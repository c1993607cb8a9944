import { assert, describe, it } from "@effect/vitest"
import { questionWords } from "../../src/answering/questionWords.ts"
import { relevance } from "../../src/answering/relevance.ts"
import { weighQuestion } from "../../src/answering/weighQuestion.ts"
import { queryTerms } from "../../src/language/terms.ts"
import type { Passage } from "../../src/ports/AnswerGenerator.ts"
import { passage } from "@omnirag/testkit/passages"

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

  it("a word that another passage of the same document holds counts half", () => {
    const sibling = passage(2, "Walls are painted.")
    const chunk = { ...sibling.hit.chunk, documentId: archive.hit.chunk.documentId }
    const judged = judge("archives painted?", [archive, { ...sibling, hit: { ...sibling.hit, chunk } }])
    assert.strictEqual(judged.score, 0.75)
  })

  it("takes off 40 % for a name that is nowhere", () => {
    assert.closeTo(judge("Is the archive in Paris?", [archive]).score, 0.6 / 2, 1e-9)
  })

  it("takes off 40 % for a name that only other documents hold", () => {
    const judged = judge("Is the archive kept in Paris?", [archive, passage(2, "We met in Paris.")])
    assert.closeTo(judged.score, 0.6 * (2 / 3), 1e-9)
    assert.deepStrictEqual(judged.missing, [])
  })

  it("words that frame the question count a quarter", () => {
    assert.strictEqual(judge("Explain archives", [archive]).score, 0.8)
    assert.strictEqual(judge("another archive", [archive]).score, 0.8)
  })

  it("the word behind how frames the question", () => {
    assert.strictEqual(judge("How frequently are archives rotated?", [archive]).score, 1 / 2.25)
    assert.strictEqual(judge("Are archives frequently rotated?", [archive]).score, 1 / 3)
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

describe("weighQuestion", () => {
  const weigh = (question: string, weights: Readonly<Record<string, number>>) =>
    weighQuestion(question, new Map(Object.entries(weights))).map(({ weight }) => weight)

  it("weighs a compound by its rarest part", () => {
    assert.deepStrictEqual(weigh("ROUTE_TIMEOUT", { rout: 2, timeout: 3, routetimeout: 7 }), [3])
  })

  it("weighs the plural of an abbreviation, whose letters are no words, by its whole", () => {
    assert.deepStrictEqual(weigh("GPUs", { gp: 8, us: 5, gpu: 3 }), [3])
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
