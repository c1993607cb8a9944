import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { batchTexts } from "../../src/run/embedTexts.ts"

const text = (hash: string, length: number) => ({ hash, text: "x".repeat(length) })

describe("batches of texts", () => {
  it("hold at most as many texts as the embedder wants in a call", () => {
    const texts = Array.from({ length: 7 }, (_, n) => text(`${n}`, 10))
    assert.deepStrictEqual(
      batchTexts(texts, 3).map((batch) => batch.map(({ hash }) => hash)),
      [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    )
  })

  it("hold at most 16,384 tokens of four units; a text longer than that goes alone", () => {
    const texts = [text("a", 40_000), text("b", 25_536), text("c", 4), text("d", 80_000), text("e", 4)]
    assert.deepStrictEqual(
      batchTexts(texts, 100).map((batch) => batch.map(({ hash }) => hash)),
      [["a", "b"], ["c"], ["d"], ["e"]]
    )
  })

  it("lose, repeat and reorder nothing, whatever the texts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(70_000), { maxLength: 60 }),
        fc.integer({ min: 1, max: 64 }),
        (lengths, size) => {
          const texts = lengths.map((length, n) => text(`${n}`, length))
          const batches = batchTexts(texts, size)
          assert.deepStrictEqual(batches.flat(), texts)
          for (const batch of batches) {
            assert.isTrue(batch.length >= 1 && batch.length <= size)
            const tokens = batch.reduce((sum, item) => sum + Math.ceil(item.text.length / 4), 0)
            assert.isTrue(batch.length === 1 || tokens <= 16_384)
          }
        }
      ),
      { numRuns: 50 }
    )
  })
})
