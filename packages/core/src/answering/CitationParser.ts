/** What a piece of generated text turned into. */
export type ParsedPiece =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Marker"; readonly passage: number }
  | { readonly _tag: "Invalid"; readonly marker: string }

/** The longest marker that is waited for; a longer bracket is plain text. */
const longestMarker = 40
const complete = /^\[\s*(\d{1,6}(?:\s*,\s*\d{1,6})*)\s*\]$/
const beginning = /^\[[\d,\s]*$/
const identifierEnd = /[\p{L}\p{N}_)\]]$/u

/**
 * Finds the markers `[n]` and `[n, m]` in a text that arrives in pieces, wherever it is cut. No half of a marker is ever
 * let through as text. A marker that names no passage is taken out together with the blank before it. Brackets that
 * follow an identifier without a blank (`items[0]`) are code, not markers, unless another marker stands there.
 */
export class CitationParser {
  private readonly passages: ReadonlySet<number>
  /** Text that may yet turn out to be a marker: blanks, then perhaps the beginning of a bracket. */
  private held = ""
  /** The last character that was let through. */
  private last = ""
  private afterMarker = false

  constructor(passages: Iterable<number>) {
    this.passages = new Set(passages)
  }

  /** Takes the next piece of text. */
  push(piece: string): ReadonlyArray<ParsedPiece> {
    const out: Array<ParsedPiece> = []
    let plain = ""
    const flushPlain = () => {
      if (plain === "") return
      out.push({ _tag: "Text", text: plain })
      plain = ""
    }
    const letThrough = (text: string) => {
      if (text === "") return
      plain += text
      this.last = text.slice(-1)
      this.afterMarker = false
    }
    for (const character of piece) {
      const bracket = this.held.trimStart()
      if (bracket === "") {
        const blank = character === " " || character === "\t"
        const opens =
          character === "[" && (this.held !== "" || this.afterMarker || !identifierEnd.test(this.last))
        if (blank || opens) this.held += character
        else {
          letThrough(this.held + character)
          this.held = ""
        }
        continue
      }
      const candidate = bracket + character
      const blanks = this.held.slice(0, this.held.length - bracket.length)
      const numbers = complete.exec(candidate)?.[1]
      if (numbers !== undefined) {
        this.held = ""
        const named = numbers.split(",").map((number) => Number(number.trim()))
        const valid = named.filter((number) => this.passages.has(number))
        if (valid.length > 0) letThrough(blanks)
        flushPlain()
        for (const number of named) {
          out.push(
            this.passages.has(number)
              ? { _tag: "Marker", passage: number }
              : { _tag: "Invalid", marker: `[${number}]` }
          )
        }
        this.afterMarker = true
      } else if (beginning.test(candidate) && candidate.length < longestMarker) {
        this.held += character
      } else {
        // not a marker after all; the new character may begin one
        letThrough(this.held)
        this.held = ""
        if (character === "[" || character === " ") this.held = character
        else letThrough(character)
      }
    }
    flushPlain()
    return out
  }

  /** The text ends here: what was held back is plain text. */
  end(): ReadonlyArray<ParsedPiece> {
    const text = this.held
    this.held = ""
    return text === "" ? [] : [{ _tag: "Text", text }]
  }
}
