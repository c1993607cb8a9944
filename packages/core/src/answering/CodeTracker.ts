/** What may stand before a fence on its line: quotations, lists. */
const beforeFence = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*[\s>]*$/
/** Longest beginning of a line that is looked at, in UTF-16 units. */
const longestPrefix = 100

/** Code that is open: by what it was opened. */
interface Open {
  readonly mark: string
  readonly length: number
}

/**
 * Tells whether a text that is read character by character is inside code: a fence of three back-ticks or tildes or more
 * at the start of a line, also in a list or a quotation, or a span between equal runs of back-ticks. A span ends at the
 * end of its line at the latest, so that a back-tick that is never closed does no harm.
 */
export class CodeTracker {
  private fence: Open | undefined
  /** Length of the back-ticks that opened the span; 0 outside. */
  private span = 0
  /** On the line that opened the fence. */
  private opening = false
  /** The marks just read, and the beginning of their line before them. */
  private mark = ""
  private run = 0
  private line = ""

  /** True when the next character is code, whatever it is. */
  get isCode(): boolean {
    const { fence, span } = this.settled()
    return fence !== undefined || span > 0
  }

  take(character: string): void {
    if ((character === "`" || character === "~") && (this.run === 0 || character === this.mark)) {
      this.mark = character
      this.run++
      return
    }
    if (this.run > 0) this.settle(character)
    if (character === "`" || character === "~") {
      this.mark = character
      this.run = 1
    } else if (character === "\n") {
      this.span = 0
      this.opening = false
      this.line = ""
    } else this.extend(character)
  }

  private extend(text: string): void {
    if (this.line.length < longestPrefix) this.line += text
  }

  /** The marks just read end here. */
  private settle(next: string): void {
    // with an info string behind them, marks open a fence and never close one
    if (this.fence === undefined || this.opening || !/[\p{L}\p{N}]/u.test(next)) {
      const { fence, span } = this.settled()
      this.opening = fence !== undefined && (this.fence === undefined || this.opening)
      this.fence = fence
      this.span = span
    }
    this.extend(this.mark.repeat(this.run))
    this.run = 0
  }

  /** The state after the marks just read, when they end here. */
  private settled(): { readonly fence: Open | undefined; readonly span: number } {
    const { fence, mark, run, span } = this
    if (run === 0) return { fence, span }
    const startsLine =
      run >= 3 && span === 0 && this.line.length < longestPrefix && beforeFence.test(this.line)
    if (fence !== undefined) {
      // back-ticks on the line of the opening ones: no fence has that, it is a span
      if (this.opening && mark === "`" && fence.mark === "`") {
        return { fence: undefined, span: run === fence.length ? 0 : fence.length }
      }
      return { fence: startsLine && mark === fence.mark && run >= fence.length ? undefined : fence, span: 0 }
    }
    if (startsLine) return { fence: { mark, length: run }, span: 0 }
    if (mark === "~") return { fence: undefined, span }
    return { fence: undefined, span: span === 0 ? run : run === span ? 0 : span }
  }
}
