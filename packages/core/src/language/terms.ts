import { stemmer } from "stemmer"

/**
 * The terms of a text, in order, repeats kept: what the lexical index stores and a question is looked up by.
 */
export const analyze = (text: string): Array<string> =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => stemmer(word))
