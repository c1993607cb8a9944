import { expect, it } from "@effect/vitest"
import { contentWords } from "../../src/language/words.ts"

it.each<[string, Array<string>]>([
  ["What was the EBITDA margin in fiscal 2024?", ["ebitda", "margin", "fiscal", "2024"]],
  ["Don't stop the user's Café at 3.5 or 1,000!", ["stop", "user", "café", "3.5", "1,000"]],
  ["running runs run", ["running", "runs", "run"]],
  ["Why is it?", []]
])("%j has the content words %j", (text, words) => {
  expect(contentWords(text)).toEqual(words)
})
