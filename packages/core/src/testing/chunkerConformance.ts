import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import type { Document } from "../domain/Document.ts"
import { Chunker } from "../ports/Chunker.ts"
import { chunkFaults, type ChunkLimits } from "./chunkFaults.ts"

export interface ChunkerConformanceOptions<E> extends ChunkLimits {
  readonly name: string
  readonly layer: Layer.Layer<Chunker, E>
  /** Documents of the kinds the chunker is for, by what they show. */
  readonly documents: Readonly<Record<string, Document>>
}

/** A document of a text, for tests of chunkers. */
export const sampleDocument = (text: string, fields: Partial<Document> = {}): Document => ({
  id: "samples/document.md",
  source: "samples",
  path: "document.md",
  bundle: null,
  mediaType: "text/markdown",
  title: "Document",
  text,
  contentHash: "",
  metadata: {},
  pages: [],
  ...fields
})

/**
 * What every chunker promises, for plugin authors: call it in a test file. The same document gives the same chunks, in
 * the order of the text, with exact ranges, within the limit, and nothing is lost.
 */
export const chunkerConformance = <E>(options: ChunkerConformanceOptions<E>): void => {
  const layer = Layer.orDie(options.layer)
  const split = Effect.fnUntraced(function* (document: Document) {
    const chunker = yield* Chunker
    return yield* Stream.runCollect(chunker.split(document))
  }, Effect.provide(layer))

  const documents: Readonly<Record<string, Document>> = {
    ...options.documents,
    "one word": sampleDocument("word"),
    "one long line": sampleDocument("word ".repeat(5_000)),
    "no white space": sampleDocument("x".repeat(20_000)),
    "all kinds of line ends": sampleDocument("one\r\n\r\ntwo\r\rthree\n\nfour\u0085five\u2028six"),
    "repeated text": sampleDocument("# A\n\nsame words here\n\n".repeat(50)),
    pages: sampleDocument("first page\n\nsecond page\n\n" + "third ".repeat(2_000), {
      pages: [
        { page: 1, start: 0, end: 12 },
        { page: 2, start: 12, end: 25 },
        { page: 3, start: 25, end: 12_025 }
      ]
    })
  }

  describe(`${options.name} keeps the contract of a chunker`, () => {
    for (const [title, document] of Object.entries(documents)) {
      it.effect(`splits a document without a fault, twice the same: ${title}`, () =>
        Effect.gen(function* () {
          const chunks = yield* split(document)
          assert.deepStrictEqual(chunkFaults(document, chunks, options), [])
          assert.deepStrictEqual(yield* split(document), chunks)
        })
      )
    }

    it.effect("gives other ids to the same text of another document", () =>
      Effect.gen(function* () {
        const [one] = yield* split(sampleDocument("The same text."))
        const [other] = yield* split(sampleDocument("The same text.", { id: "samples/other.md" }))
        assert.isDefined(one)
        assert.notStrictEqual(one.id, other?.id)
      })
    )

    it.effect("gives nothing for a blank document", () =>
      Effect.gen(function* () {
        for (const text of ["", " \n\t\r\n ", "\uFEFF", "\u3000\u00A0\n"]) {
          assert.deepStrictEqual(yield* split(sampleDocument(text)), [])
        }
      })
    )

    it.effect("has a name and a fingerprint that stays", () =>
      Effect.gen(function* () {
        const one = yield* Effect.provide(Chunker, layer)
        const other = yield* Effect.provide(Chunker, Layer.fresh(layer))
        assert.notStrictEqual(one.name, "")
        assert.notStrictEqual(one.fingerprint, "")
        assert.strictEqual(one.fingerprint, other.fingerprint)
      })
    )
  })
}
