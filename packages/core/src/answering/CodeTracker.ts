/**
 * Tells whether a text that is read character by character is inside code: a fence of three back-ticks or more at the
 * start of a line, or a span between equal runs of back-ticks. A span ends at the end of its line at the latest, so that a
 * back-tick that is never closed does no harm.
 */
export class CodeTracker {
  /** Length of the run that opened the fence or the span; 0 outside. */
  private fence = 0
  private span = 0
  /** Back-ticks just read. */
  private run = 0
  /** Only blanks since the start of the line, up to the run. */
  private atLineStart = true
  private runAtLineStart = false

  /** True when the next character is code, whatever it is. */
  get isCode(): boolean {
    const { fence, span } = this.settled()
    return fence > 0 || span > 0
  }

  take(character: string): void {
    if (character === "`") {
      if (this.run === 0) this.runAtLineStart = this.atLineStart
      this.run++
      this.atLineStart = false
      return
    }
    const { fence, span } = this.settled()
    this.run = 0
    this.fence = fence
    this.span = character === "\n" ? 0 : span
    if (character === "\n") this.atLineStart = true
    else if (character !== " " && character !== "\t") this.atLineStart = false
  }

  /** The state after the run of back-ticks that has just been read, when it ends here. */
  private settled(): { readonly fence: number; readonly span: number } {
    const { fence, span, run } = this
    if (run === 0) return { fence, span }
    if (fence > 0) return { fence: this.runAtLineStart && run >= fence ? 0 : fence, span: 0 }
    if (this.runAtLineStart && run >= 3) return { fence: run, span: 0 }
    if (span > 0) return { fence: 0, span: run === span ? 0 : span }
    return { fence: 0, span: run }
  }
}
