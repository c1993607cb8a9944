import { CodeTracker } from "./CodeTracker.ts"

/** What a piece of generated text turned into. */
export type ParsedPiece =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Marker"; readonly passage: number }
  | { readonly _tag: "Invalid"; readonly marker: string }

/** The longest bracket that is waited for, in UTF-16 units; a longer one is plain text. */
const longestMarker = 40
/** Blanks held back because an invalid marker may follow, which takes them along. */
const longestBlank = 40
const complete = /^\[\s*([1-9]\d{0,5}(?:\s*,\s*[1-9]\d{0,5})*)\s*\]$/
const beginning = /^\[[\d,\s]*$/
const lonelyHalf = /[\ud800-\udbff]$/

/**
 * Finds the markers `[n]` and `[n, m]` in a text that arrives in pieces. Where the text is cut makes no difference, and
 * no half of a marker is ever let through. A marker that names no passage is taken out together with the blank before
 * it. Not markers: brackets in code (`items[1]` between back-ticks, anything in a fence), behind a backslash, links
 * (`[1](…)`), footnotes (`[^1]`), and numbers that begin with a 0 (`[0, 1]`, `[007]`), since passages count from 1.
 */
export class CitationParser {
  private readonly passages: ReadonlySet<number>
  private readonly code = new CodeTracker()
  private readonly out: Array<ParsedPiece> = []
  private plain = ""
  /** Blanks that an invalid marker behind them would take along. */
  private blanks = ""
  /** The beginning of what may be a marker, or all of one until it is known what follows. */
  private bracket = ""
  /** The first half of a character whose second half is in the next piece. */
  private half = ""
  private escaped = false

  constructor(passages: Iterable<number>) {
    this.passages = new Set(passages)
  }

  /** Takes the next piece of text. */
  push(piece: string): ReadonlyArray<ParsedPiece> {
    const text = this.half + piece
    this.half = lonelyHalf.exec(text)?.[0] ?? ""
    for (const character of text.slice(0, text.length - this.half.length)) this.take(character)
    return this.flush()
  }

  /** The text ends here: what was held back is a marker or plain text. */
  end(): ReadonlyArray<ParsedPiece> {
    if (this.bracket.endsWith("]")) this.marker()
    this.letThrough(this.blanks + this.bracket + this.half)
    this.blanks = this.bracket = this.half = ""
    return this.flush()
  }

  private take(character: string): void {
    if (this.bracket.endsWith("]")) {
      if (character === "(") this.release()
      else this.marker()
    }
    if (this.bracket !== "") {
      const candidate = this.bracket + character
      if (complete.test(candidate) || (beginning.test(candidate) && candidate.length < longestMarker)) {
        this.bracket = candidate
        return
      }
      this.release()
    }
    if ((character === " " || character === "\t") && this.blanks.length < longestBlank) {
      this.blanks += character
    } else if (character === "[" && !this.escaped && !this.code.isCode) {
      this.bracket = character
    } else {
      this.letThrough(this.blanks + character)
      this.blanks = ""
      return
    }
    this.code.take(character)
    this.escaped = false
  }

  /** What was held back is no marker. */
  private release(): void {
    // the tracker has seen the opening bracket and the blanks; nothing that a bracket can hold changes it
    this.plain += this.blanks + this.bracket
    this.blanks = this.bracket = ""
  }

  private marker(): void {
    const numbers = complete.exec(this.bracket)?.[1]?.split(",").map(Number) ?? []
    if (numbers.some((number) => this.passages.has(number))) this.plain += this.blanks
    this.blanks = this.bracket = ""
    this.flushPlain()
    for (const number of numbers) {
      this.out.push(
        this.passages.has(number)
          ? { _tag: "Marker", passage: number }
          : { _tag: "Invalid", marker: `[${number}]` }
      )
    }
  }

  private letThrough(text: string): void {
    this.plain += text
    for (const character of text) {
      this.code.take(character)
      this.escaped = character === "\\" && !this.escaped
    }
  }

  private flushPlain(): void {
    if (this.plain !== "") this.out.push({ _tag: "Text", text: this.plain })
    this.plain = ""
  }

  private flush(): ReadonlyArray<ParsedPiece> {
    this.flushPlain()
    return this.out.splice(0)
  }
}
