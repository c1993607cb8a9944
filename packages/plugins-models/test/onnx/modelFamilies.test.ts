import { assert, it } from "@effect/vitest"
import { prefixesFor } from "../../src/ollama/prefixes.ts"
import { modelFamily } from "../../src/onnx/modelFamilies.ts"

it.each([
  ["all-MiniLM-L6-v2-q", "plain", "mean"],
  ["multi-qa-mpnet-base-dot-v1", "plain", "mean"],
  ["bge-small-en-v1.5", "bge", "cls"],
  ["bge-large-zh-v1.5", "bge-zh", "cls"],
  ["BGE-M3", "bge-m3", "cls"],
  ["e5-small-v2-q", "e5", "mean"],
  ["multilingual-e5-large", "e5", "mean"],
  ["multilingual-e5-large-instruct", "e5-instruct", "mean"],
  ["some-base5-model", "plain", "mean"],
  ["nomic-embed-text-v1.5", "nomic", "mean"],
  ["mxbai-embed-large-v1", "mxbai", "cls"],
  ["snowflake-arctic-embed-m", "arctic", "cls"],
  ["snowflake-arctic-embed-m-v2.0", "arctic-v2", "cls"],
  ["gte-base-en-v1.5", "gte-v1.5", "cls"],
  ["gte-base", "plain", "mean"]
])("%s belongs to the family %s and is pooled by %s", (model, family, pooling) => {
  const found = modelFamily(model)
  assert.strictEqual(found.name, family)
  assert.strictEqual(found.pooling, pooling)
  // the same model wants the same prefixes wherever it runs
  const { document, query } = prefixesFor(model)
  assert.deepStrictEqual([found.queryPrefix, found.documentPrefix], [query, document])
})
