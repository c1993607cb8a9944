import { chunkFaults, sampleDocument } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { headingsOf, pathAt } from "./headingsOf.ts"
import { markdown } from "./markdownArbitrary.ts"
import { split, splitDocument } from "./splitting.ts"

const options = fc
  .record({
    maxLength: fc.constantFrom(100, 137, 200, 400, 2_000),
    minLength: fc.constantFrom(0, 10, 25),
    overlap: fc.constantFrom(0, 1, 20, 99)
  })
  .map((all) => ({ ...all, overlap: Math.min(all.overlap, all.maxLength - 1) }))

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const runs = { numRuns: Number(process.env["OMNIRAG_PROPERTY_RUNS"] ?? 200) }

describe("for any markdown", () => {
  it("chunks are in order, in bounds, within the limit, verbatim and complete (T5)", () => {
    fc.assert(
      fc.property(
        markdown,
        options,
        fc.constantFrom("text/markdown", "text/plain"),
        (text, options, mediaType) => {
          const document = sampleDocument(text, { mediaType })
          const chunks = splitDocument(document, options)
          assert.deepStrictEqual(chunkFaults(document, chunks, options), [])
          assert.deepStrictEqual(splitDocument(document, options), chunks)
        }
      ),
      runs
    )
  })

  it("heading paths are those of markdown-it's own tokens", () => {
    fc.assert(
      fc.property(markdown, options, (text, options) => {
        const headings = headingsOf(text)
        for (const chunk of split(text, options)) {
          assert.deepStrictEqual(chunk.headingPath, pathAt(headings, chunk.end))
        }
      }),
      runs
    )
  })

  it("no grapheme is cut", () => {
    fc.assert(
      fc.property(markdown, options, (text, options) => {
        const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index)).add(text.length)
        for (const { end, start } of split(text, options)) {
          assert.isTrue(boundaries.has(start), `start ${start}`)
          assert.isTrue(boundaries.has(end), `end ${end}`)
        }
      }),
      runs
    )
  })
})
