/**
 * A character of the scripts that put no spaces between words (a character class for expressions with the flag `v`).
 */
export const spacelessClass =
  "[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]&&[\\p{L}\\p{N}\\p{M}]]"

/** The segmenter gets pieces of at most this many units, so that a text without line ends costs no more than others. */
const pieceLength = 512

// a fixed locale: the dictionaries of these scripts are chosen by script, and every machine must give the same terms
const segmenter = new Intl.Segmenter("en", { granularity: "word" })

const characters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{3,}/u

/**
 * The words of a run of characters of one of these scripts, by the dictionary of `Intl.Segmenter`. A Chinese or
 * Japanese word of three or more characters is followed by its pairs of characters: the dictionary may divide a
 * compound differently in a question and in a passage, but the pairs are the same.
 */
export const spacelessWords = (run: string): Array<string> => {
  const words: Array<string> = []
  for (let start = 0, end = 0; start < run.length; start = end) {
    end = start + pieceLength
    // a surrogate pair is never divided
    if (end < run.length && (run.charCodeAt(end) & 0xfc00) === 0xdc00) end++
    for (const { segment, isWordLike } of segmenter.segment(run.slice(start, end))) {
      if (isWordLike !== true) continue
      words.push(segment)
      if (segment.length < 3 || !characters.test(segment)) continue
      const letters = Array.from(segment)
      for (let index = 1; index < letters.length; index++)
        words.push(`${letters[index - 1]}${letters[index]}`)
    }
  }
  return words
}
