import { assert, describe, it } from "vitest"
import { analyze, queryTerms } from "@omnirag/core/app"

describe("short forms", () => {
  it("a text with the long word is found by the short one", () => {
    assert.deepStrictEqual(analyze("Authentication library"), ["authent", "auth", "librari", "lib"])
    assert.deepStrictEqual(queryTerms("auth lib"), ["auth", "lib"])
  })

  it("a question is not made to count a word twice", () => {
    assert.deepStrictEqual(queryTerms("authentication library"), ["authent", "librari"])
  })

  it("other words, and names that hold such a word, stay as they are", () => {
    assert.deepStrictEqual(analyze("walrus repositoryName"), ["walru", "repositori", "name", "repositorynam"])
  })
})
