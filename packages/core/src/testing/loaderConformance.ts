import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { bundleOf, Document, documentId } from "../domain/Document.ts"
import { DocumentLoader } from "../ports/DocumentLoader.ts"

/** A file the loader takes, and what must be found in it. */
export interface LoaderSample {
  readonly path: string
  readonly bytes: Uint8Array
  readonly title: string
  /** Texts that the canonical text holds, in this order. */
  readonly contains: ReadonlyArray<string>
  /** Pages of the document; 0 for a format without pages. */
  readonly pages?: number | undefined
}

export interface LoaderConformanceOptions<E> {
  readonly name: string
  readonly layer: Layer.Layer<DocumentLoader, E>
  readonly samples: readonly [LoaderSample, ...ReadonlyArray<LoaderSample>]
  /** Files the loader must refuse, with a part of the reason; the empty file is tried anyway. */
  readonly refuses?: ReadonlyArray<{ readonly bytes: Uint8Array; readonly reason: string }>
}

/**
 * What every loader promises, for plugin authors: call it in a test file. A document is complete and the same each
 * time; whatever the bytes are, there is a document or a typed refusal, and never a defect.
 */
export const loaderConformance = <E>(options: LoaderConformanceOptions<E>): void => {
  const { name, samples } = options
  const layer = Layer.orDie(options.layer)
  const load = Effect.fnUntraced(function* (path: string, bytes: Uint8Array) {
    const loader = yield* DocumentLoader
    return yield* loader.load({ source: "conformance", path, bytes })
  }, Effect.provide(layer))

  const assertSound = (document: Document, path: string, bytes: Uint8Array) => {
    assert.isTrue(Schema.is(Document)(document), "it is a Document")
    assert.strictEqual(document.id, documentId("conformance", path))
    assert.strictEqual(document.source, "conformance")
    assert.strictEqual(document.path, path)
    assert.strictEqual(document.bundle, bundleOf(path))
    assert.strictEqual(document.contentHash, createHash("sha256").update(bytes).digest("hex"))
    assert.isTrue(document.text.isWellFormed(), "no lone surrogate")
    assert.notStrictEqual(document.text.trim(), "", "a text without words is refused")
    assert.isFalse(document.text.includes("\0") || document.text.startsWith("\uFEFF"), "no NUL, no mark")
    assert.notStrictEqual(document.title.trim(), "")
    let end = 0
    document.pages.forEach((page, index) => {
      assert.strictEqual(page.page, index + 1)
      assert.isTrue(end <= page.start && page.start <= page.end && page.end <= document.text.length)
      end = page.end
    })
  }

  describe(`${name} keeps the contract of a document loader`, () => {
    it.effect("names its extensions in lower case with a dot", () =>
      Effect.gen(function* () {
        const loader = yield* DocumentLoader
        const extensions = Object.entries(loader.extensions)
        assert.isNotEmpty(extensions)
        for (const [extension, mediaType] of extensions) {
          assert.match(extension, /^\.[^./\sA-Z]+$/)
          assert.match(mediaType, /^[a-z]+\/[a-z0-9.+-]+$/)
        }
      }).pipe(Effect.provide(layer))
    )

    for (const sample of samples) {
      it.effect(`loads ${sample.path}, twice the same`, () =>
        Effect.gen(function* () {
          const before = sample.bytes.slice()
          const document = yield* load(sample.path, sample.bytes)
          assertSound(document, sample.path, sample.bytes)
          const { extensions } = yield* Effect.provide(DocumentLoader, layer)
          assert.include(Object.values(extensions), document.mediaType)
          assert.strictEqual(document.title, sample.title)
          assert.strictEqual(document.pages.length, sample.pages ?? 0)
          let from = 0
          for (const part of sample.contains) {
            const found = document.text.indexOf(part, from)
            assert.notStrictEqual(found, -1, `"${part}" is not found after ${from}`)
            from = found + part.length
          }
          assert.deepStrictEqual(yield* load(sample.path, sample.bytes), document)
          assert.deepStrictEqual(sample.bytes, before, "the bytes of the caller are left alone")
        })
      )
    }

    const { path, bytes } = samples[0]
    for (const refused of [{ bytes: new Uint8Array(), reason: "" }, ...(options.refuses ?? [])]) {
      it.effect(`refuses ${refused.reason === "" ? "an empty file" : refused.reason}`, () =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(load(path, refused.bytes))
          assert.strictEqual(error._tag, "DocumentRefused")
          assert.strictEqual(error.path, path)
          assert.notStrictEqual(error.reason, "")
          assert.include(error.reason, refused.reason)
        })
      )
    }

    const outcome = (input: Uint8Array) =>
      load(path, input).pipe(
        Effect.match({
          onFailure: (refused) => (refused.reason === "" ? "refused without a reason" : "refused"),
          onSuccess: (document) => {
            assertSound(document, path, input)
            return "loaded"
          }
        }),
        Effect.runPromise
      )

    it("gives a sound document or a refusal for any bytes", () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 256 }), async (input) => {
          assert.include(["loaded", "refused"], await outcome(input))
        }),
        { numRuns: 100 }
      ))

    it("gives a sound document or a refusal for a sample that is cut or damaged", () =>
      fc.assert(
        fc.asyncProperty(
          fc.nat(bytes.length),
          fc.array(fc.tuple(fc.nat(Math.max(0, bytes.length - 1)), fc.nat(255)), { maxLength: 4 }),
          async (length, damages) => {
            const damaged = bytes.slice()
            for (const [index, value] of damages) damaged[index] = value
            assert.include(["loaded", "refused"], await outcome(damaged.subarray(0, length)))
          }
        ),
        { numRuns: 60 }
      ))
  })
}
