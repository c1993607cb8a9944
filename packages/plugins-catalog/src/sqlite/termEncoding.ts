import { textHash } from "@omnirag/core/plugin"

/** Longer terms (encoded data, mostly) are kept as their hash, in UTF-16 units; FTS5 would cut them. */
const longestTerm = 128

// what the tokenizer of the index splits at: everything in ASCII that cannot be printed
// oxlint-disable-next-line no-control-regex
const separators = /[\0-\x20\x7f]/g

/** A term as the index keeps it: one token, whatever its characters, and the same for the same term everywhere. */
export const encodeTerm = (term: string): string => {
  const lower = term.toLowerCase().replace(separators, "\u{fffd}").toWellFormed()
  return lower.length > longestTerm ? `\u{fffd}${textHash(lower)}` : lower
}

/** Terms as a column of the index holds them: encoded, joined by spaces. */
export const encodeTerms = (terms: ReadonlyArray<string>): string => terms.map(encodeTerm).join(" ")
