import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type EvaluatedChunk, evaluateAnswer } from "../../src/answering/evaluateAnswer.ts"

const chunk = (text: string, fields: Partial<EvaluatedChunk> = {}): EvaluatedChunk => ({
  text,
  confidence: 1,
  page: null,
  documentId: "handbook/a.md",
  ...fields
})

describe("evaluateAnswer", () => {
  it("is unsafe without chunks", () => {
    assert.deepStrictEqual(evaluateAnswer("What was the margin?", []), {
      overall: 0,
      coverage: 0,
      confidence: 0,
      sourceDiversity: 0,
      chunksUsed: 0,
      verdict: "unsafe",
      missingTerms: ["margin"]
    })
  })

  it("reports the terms no chunk holds; stop words do not count, numbers do", () => {
    const evaluation = evaluateAnswer("What was the EBITDA margin in fiscal 2024?", [
      chunk("Gross margin rose to 31% in fiscal 2024.")
    ])
    assert.strictEqual(evaluation.coverage, 0.75)
    assert.deepStrictEqual(evaluation.missingTerms, ["ebitda"])
  })

  it("weighs coverage, confidence and diversity 0.5, 0.4 and 0.1", () => {
    const evaluation = evaluateAnswer("What was the EBITDA margin in fiscal 2024?", [
      chunk("Gross margin rose", { page: 1, confidence: 1 }),
      chunk("in fiscal terms", { page: 2, confidence: 0.9 }),
      chunk("for 2024", { page: 3, confidence: 0.9 }),
      chunk("and beyond", { page: 3, confidence: 0.84 })
    ])
    assert.strictEqual(evaluation.sourceDiversity, 3)
    assert.strictEqual(evaluation.chunksUsed, 4)
    assert.closeTo(evaluation.confidence, 0.91, 1e-12)
    // the second system's own example: 0.75 coverage, 0.91 confidence, 3 pages
    assert.closeTo(evaluation.overall, 0.839, 1e-12)
    assert.strictEqual(evaluation.verdict, "excellent")
  })

  it("counts a page of each document once, and a document without pages once", () => {
    const evaluation = evaluateAnswer("margin", [
      chunk("margin", { page: 1, documentId: "a" }),
      chunk("margin", { page: 1, documentId: "b" }),
      chunk("margin", { page: 1, documentId: "b" }),
      chunk("margin", { page: null, documentId: "c" }),
      chunk("margin", { page: null, documentId: "c" })
    ])
    assert.strictEqual(evaluation.sourceDiversity, 3)
    assert.strictEqual(evaluation.overall, 1)
  })

  it("draws the lines at 0.5 and 0.75", () => {
    const verdict = (question: string, confidence: number) =>
      evaluateAnswer(question, [
        chunk("alpha", { confidence, page: 1 }),
        chunk("alpha", { confidence, page: 2 }),
        chunk("alpha", { confidence, page: 3 })
      ]).verdict
    assert.strictEqual(verdict("alpha beta", 0.25), "weak") // 0.25 + 0.1 + 0.1
    assert.strictEqual(verdict("alpha beta", 0.375), "good") // 0.25 + 0.15 + 0.1
    assert.strictEqual(verdict("alpha", 0.3), "good") // 0.5 + 0.12 + 0.1
    assert.strictEqual(verdict("alpha", 0.4), "excellent") // 0.5 + 0.16 + 0.1
  })

  it("asks no support for a question without content words, and grants none", () => {
    const evaluation = evaluateAnswer("What is it?", [chunk("It is what it is.")])
    assert.strictEqual(evaluation.coverage, 0)
    assert.deepStrictEqual(evaluation.missingTerms, [])
  })

  it("stays within 0 and 1, and one more chunk never lowers coverage", () => {
    const chunks = fc.array(
      fc.record({
        text: fc.string(),
        confidence: fc.double({ min: 0.1, max: 1, noNaN: true }),
        page: fc.option(fc.nat(5)),
        documentId: fc.constantFrom("a", "b")
      }),
      { maxLength: 6 }
    )
    fc.assert(
      fc.property(fc.string(), chunks, fc.string(), (question, some, text) => {
        const before = evaluateAnswer(question, some)
        const after = evaluateAnswer(question, [...some, chunk(text)])
        assert.isTrue(after.overall >= 0 && after.overall <= 1 + 1e-9)
        assert.isTrue(after.coverage >= before.coverage)
        assert.strictEqual(before.verdict === "unsafe", some.length === 0)
      })
    )
  })
})
