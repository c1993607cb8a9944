import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { guardLines } from "../../src/ollama/guardLines.ts"
import { OllamaError } from "../../src/ollama/OllamaError.ts"

/** Cuts bytes at the given places. */
const cut = (bytes: Uint8Array, places: ReadonlyArray<number>): Array<Uint8Array> => {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b
  )
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index] ?? 0, edge))
}

const read = async (chunks: ReadonlyArray<Uint8Array>) => {
  const decoder = new TextDecoder()
  const lines: Array<unknown> = []
  async function* source() {
    yield* chunks
  }
  for await (const line of guardLines(source())) lines.push(JSON.parse(decoder.decode(line)))
  return lines
}

const values = fc.array(
  fc.record({ content: fc.string({ unit: "binary" }).map((text) => text.toWellFormed()) })
)

describe("guardLines", () => {
  it("gives the same lines however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.array(fc.nat()), fc.boolean(), async (contents, places, lineEnd) => {
        const objects = [...contents.map((message) => ({ message, done: false })), { done: true }]
        const text = objects.map((object) => JSON.stringify(object)).join("\n") + (lineEnd ? "\n" : "")
        assert.deepStrictEqual(await read(cut(new TextEncoder().encode(text), places)), objects)
      })
    )
  })

  it("either gives the lines or fails with an OllamaError, whatever the bytes are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), async (bytes, places) => {
        try {
          await read(cut(bytes, places))
        } catch (error) {
          assert.instanceOf(error, OllamaError)
          return
        }
        assert.fail("random bytes cannot end in a line with done: true")
      })
    )
  })

  it("reads nothing after the last line", async () => {
    const text = `${JSON.stringify({ done: true })}\nnot JSON\n`
    assert.deepStrictEqual(await read([new TextEncoder().encode(text)]), [{ done: true }])
  })
})
