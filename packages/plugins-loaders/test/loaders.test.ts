import { DocumentLoader, DocumentLoaders, type LoadRequest, selectPlugins } from "@omnirag/core/app"
import { loaderConformance } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { loaders } from "@omnirag/plugins-loaders"

const bytes = (text: string) => new TextEncoder().encode(text)

const all = Layer.unwrap(
  Effect.map(
    selectPlugins("loader", DocumentLoader, loaders, [
      { use: "markdown", options: {} },
      { use: "text", options: {} }
    ]),
    DocumentLoaders.layer
  )
)

const layerOf = (name: string) => {
  const plugin = loaders.find((candidate) => candidate.name === name)
  assert(plugin !== undefined)
  return plugin.build({})
}

const load = Effect.fnUntraced(function* (path: string, content: string | Uint8Array, mediaType?: string) {
  const request: LoadRequest = {
    source: "s",
    path,
    bytes: typeof content === "string" ? bytes(content) : content,
    mediaType
  }
  return yield* DocumentLoaders.use((service) => service.load(request))
}, Effect.provide(all))

loaderConformance({
  name: "markdown",
  layer: layerOf("markdown"),
  samples: [
    {
      path: "docs/a.md",
      bytes: bytes("# A\r\n\r\nzebra\r\n"),
      title: "A",
      contains: ["# A\r\n", "zebra\r\n"]
    },
    { path: "b.MDX", bytes: bytes("no heading"), title: "b.MDX", contains: ["no heading"] },
    {
      path: "x/y/z.markdown",
      bytes: Uint8Array.from(Buffer.from("\uFEFF# Größe 🧬\n", "utf16le")),
      title: "Größe 🧬",
      contains: ["# Größe 🧬\n"]
    }
  ],
  refuses: [
    { bytes: bytes(" \n\t\r\n"), reason: "empty" },
    { bytes: bytes("\uFEFF\n"), reason: "empty" },
    { bytes: bytes("x\0y"), reason: "binary" }
  ]
})

loaderConformance({
  name: "text",
  layer: layerOf("text"),
  samples: [
    { path: "notes/a.txt", bytes: bytes("first\nsecond\n"), title: "a.txt", contains: ["first", "second"] },
    {
      path: "b.log",
      bytes: Uint8Array.from(Buffer.from("caf\xe9 ferm\xe9\n", "latin1")),
      title: "b.log",
      contains: ["café fermé"]
    }
  ],
  refuses: [{ bytes: bytes("x\0y"), reason: "binary" }]
})

describe("markdown", () => {
  it.effect("front matter becomes metadata and stays in the text", () =>
    Effect.gen(function* () {
      const text = "---\ntitle: The Title\ntags: [a, b]\norder: 2\n---\n# Heading\n"
      const document = yield* load("a.md", text)
      assert.strictEqual(document.title, "The Title")
      assert.deepStrictEqual(document.metadata, { title: "The Title", tags: ["a", "b"], order: 2 })
      assert.strictEqual(document.text, text)
    })
  )

  it.effect("a title that is no text, or blank, gives way to the heading", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* load("a.md", "---\ntitle: 7\n---\n# Heading\n")).title, "Heading")
      assert.strictEqual((yield* load("a.md", "---\ntitle: ' '\n---\n# Heading\n")).title, "Heading")
      assert.strictEqual((yield* load("a.md", "---\n# no heading\ntag: x\n---\ntext\n")).title, "a.md")
    })
  )

  it.effect("an encoding other than UTF-8 is noted", () =>
    Effect.gen(function* () {
      const document = yield* load("a.md", Uint8Array.from(Buffer.from("# Caf\xe9 et th\xe9\n", "latin1")))
      assert.deepStrictEqual(
        [document.title, document.metadata],
        ["Café et thé", { encoding: "windows-1252" }]
      )
    })
  )

  it.effect("a media type given by the caller counts more than the ending", () =>
    Effect.gen(function* () {
      const document = yield* load("a", "# A\n", "text/markdown")
      assert.deepStrictEqual([document.title, document.mediaType], ["A", "text/markdown"])
    })
  )

  it.effect("one line of 10 MB keeps its marker", () =>
    Effect.gen(function* () {
      const document = yield* load("big.md", `${"x".repeat(10_000_000)} marker`)
      assert.strictEqual(document.text.indexOf("marker"), 10_000_001)
    })
  )
})
