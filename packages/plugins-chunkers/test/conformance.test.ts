import { chunkerConformance, sampleDocument } from "@omnirag/core/testing"
import { Layer } from "effect"
import { Chunker } from "@omnirag/core/app"
import { makeMarkdownChunker } from "../src/markdown/makeMarkdownChunker.ts"
import { markdownChunker } from "../src/index.ts"
import { mixed } from "./samples.ts"

const documents = {
  "markdown of all kinds": sampleDocument(mixed),
  "with CRLF": sampleDocument(mixed.replaceAll("\n", "\r\n")),
  "with a lone CR": sampleDocument(mixed.replaceAll("\n", "\r")),
  "with front matter": sampleDocument(`---\ntitle: x\n# c\n---\n${mixed}`),
  "with a byte-order mark": sampleDocument(`\uFEFF${mixed}`),
  "plain text": sampleDocument(mixed, { mediaType: "text/plain" })
}

chunkerConformance({ name: "markdown", layer: markdownChunker.build({}), maxLength: 2_000, documents })

chunkerConformance({
  name: "markdown with a small limit",
  layer: markdownChunker.build({ maxLength: 100 }),
  maxLength: 100,
  documents
})

chunkerConformance({
  name: "markdown with overlap",
  layer: Layer.succeed(Chunker, makeMarkdownChunker({ maxLength: 200, minLength: 10, overlap: 50 })),
  maxLength: 200,
  documents
})
