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
const number = "[1-9]\\d{0,5}"
const range = "[1-9]\\d{0,2}[ \\t]*[-\u2013][ \\t]*[1-9]\\d{0,2}"
const list = `[ \\t]*((?:${range}|${number})(?:[ \\t]*[,\u3001\uff0c][ \\t]*(?:${range}|${number}))*)[ \\t]*`
const inner = "[\\d,\\u3001\\uff0c\\u2013 \\t-]*"
const dagger = "(?:\\u2020[^\\u3010\\u3011`\\n]*)?"
/** Square brackets, and those that models put around citations in Chinese and Japanese, or with a place behind a dagger. */
const complete = new RegExp(`^(?:\\[${list}\\]|\uff3b${list}\uff3d|\u3010${list}${dagger}\u3011)$`)
const beginning = new RegExp(`^(?:[[\uff3b]${inner}|\u3010${inner}${dagger})$`)
const opening = /[[\uff3b\u3010]/

/** Most passages a range names; a longer one is plain text. */
const longestRange = 100

/** The numbers of a complete bracket; undefined when one of its ranges runs backwards or is too long. */
const numbersIn = (bracket: string): ReadonlyArray<number> | undefined => {
  const [, ...lists] = complete.exec(bracket) ?? []
  const numbers: Array<number> = []
  for (const item of (lists.find((found) => found !== undefined) ?? "").split(/[,\u3001\uff0c]/)) {
    const [from = 0, to = from] = item.split(/[-\u2013]/).map(Number)
    if (to < from || to - from >= longestRange) return undefined
    for (let at = from; at <= to; at++) numbers.push(at)
  }
  return numbers
}

const lonelyHalf = /[\ud800-\udbff]$/

/**
 * Finds the markers `[n]`, `[n, m]` and `[n-m]`, also in the brackets 【n】 and ［n］, in a text that arrives in pieces.
 * Where the text is cut makes no difference, and no half of a marker is ever let through. A marker that names no passage
 * is taken out together with the blank before it. Not markers: brackets in code (`items[1]` between back-ticks, anything in a fence), behind a backslash, links
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
  /** The numbers of the bracket once it is complete. */
  private numbers: ReadonlyArray<number> | undefined
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
    if (this.numbers !== undefined) this.marker(this.numbers)
    this.letThrough(this.blanks + this.bracket + this.half)
    this.blanks = this.bracket = this.half = ""
    return this.flush()
  }

  private take(character: string): void {
    if (this.numbers !== undefined) {
      if (character === "(" && this.bracket.endsWith("]")) this.release()
      else this.marker(this.numbers)
    }
    if (this.bracket !== "") {
      const candidate = this.bracket + character
      this.numbers = complete.test(candidate) ? numbersIn(candidate) : undefined
      if (this.numbers !== undefined || (beginning.test(candidate) && candidate.length < longestMarker)) {
        this.bracket = candidate
        return
      }
      this.release()
    }
    if ((character === " " || character === "\t") && this.blanks.length < longestBlank) {
      this.blanks += character
    } else if (opening.test(character) && !this.escaped && !this.code.isCode) {
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
    this.numbers = undefined
  }

  private marker(numbers: ReadonlyArray<number>): void {
    this.numbers = undefined
    if (numbers.some((passage) => this.passages.has(passage))) this.plain += this.blanks
    this.blanks = this.bracket = ""
    this.flushPlain()
    for (const passage of numbers) {
      this.out.push(
        this.passages.has(passage) ? { _tag: "Marker", passage } : { _tag: "Invalid", marker: `[${passage}]` }
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
