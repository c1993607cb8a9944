import { assert, describe, it } from "@effect/vitest"
import { prefixesFor } from "../../src/ollama/prefixes.ts"

describe("prefixesFor", () => {
  const sentence = "Represent this sentence for searching relevant passages: "
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["nomic-embed-text", "search_query: ", "search_document: "],
    ["nomic-embed-text:v1.5", "search_query: ", "search_document: "],
    ["mxbai-embed-large", sentence, ""],
    ["bge-large", sentence, ""],
    ["bge-m3", "", ""],
    ["snowflake-arctic-embed:335m", sentence, ""],
    ["snowflake-arctic-embed2", "query: ", ""],
    ["jeffh/intfloat-multilingual-e5-large:f16", "query: ", "passage: "],
    ["all-minilm", "", ""],
    ["Some-Company/Unknown", "", ""]
  ]
  for (const [model, query, document] of cases) {
    it(`of ${model}`, () => assert.deepStrictEqual(prefixesFor(model), { query, document }))
  }
})
