import { stopWords } from "./stopWords.ts"

const word = "[\\p{L}\\p{N}\\p{M}]+"
const pattern = new RegExp(`${word}(?:['’]${word}|(?<=\\p{N})[.,](?=\\p{N})${word})*`, "gu")

/**
 * The words of a text in order, with repeats: lower case, not stemmed, without stop words, with numbers ("fiscal 2024"
 * gives `fiscal`, `2024`). They say what a question is about; an answer is measured by them.
 */
export const contentWords = (text: string): Array<string> =>
  (text.normalize("NFKC").toLowerCase().match(pattern) ?? [])
    .map((found) => found.replace(/['’]s$/u, ""))
    .filter((found) => !stopWords.has(found.replace(/['’]/gu, "")))
