/** A piece of what a model says. */
export interface Spoken {
  readonly kind: "reasoning" | "text"
  readonly text: string
}

const opening = /^\s*<(think|thinking|thought)>/i
/** A beginning of an opening tag, including blanks before it. */
const mayOpen = /^\s*(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?|o(?:u(?:g(?:h(?:t)?)?)?)?)?)?)?)?$/i

/** ASCII letters in lower case: unlike `toLowerCase` this never changes the length of a text. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * Keeps thoughts out of an answer when the server does not: Ollama before 0.9 leaves them at the beginning of the text,
 * between `<think>` and `</think>`, and newer versions do so for models whose template they do not know. Accepts the
 * text in pieces, divided anywhere. Later in a text the tags are normal text.
 */
export class ThoughtTags {
  private state: "start" | "thinking" | "behind" | "text" = "start"
  private held = ""
  private closing = ""

  /** Takes the next piece of text. */
  push(piece: string): ReadonlyArray<Spoken> {
    this.held += piece
    const out: Array<Spoken> = []
    if (this.state === "start") {
      const tag = opening.exec(this.held)
      if (tag !== null) {
        this.state = "thinking"
        this.closing = `</${lower(tag[1] ?? "")}>`
        this.held = this.held.slice(tag[0].length)
      } else if (!mayOpen.test(this.held)) this.state = "text"
    }
    if (this.state === "thinking") {
      const end = lower(this.held).indexOf(this.closing)
      const length = end === -1 ? this.certain() : end
      if (length > 0) out.push({ kind: "reasoning", text: this.held.slice(0, length) })
      this.held = this.held.slice(end === -1 ? length : end + this.closing.length)
      if (end !== -1) this.state = "behind"
    }
    if (this.state === "behind") {
      this.held = this.held.trimStart()
      if (this.held !== "") this.state = "text"
    }
    if (this.state === "text" && this.held !== "") {
      out.push({ kind: "text", text: this.held })
      this.held = ""
    }
    return out
  }

  /** The text ends here: the text that was held back is not a tag. */
  end(): ReadonlyArray<Spoken> {
    const text = this.held
    this.held = ""
    return text === "" ? [] : [{ kind: this.state === "thinking" ? "reasoning" : "text", text }]
  }

  /** How much of the held thoughts is not the beginning of the closing tag. */
  private certain(): number {
    const text = lower(this.held)
    for (let length = Math.min(this.closing.length - 1, text.length); length > 0; length--) {
      if (text.endsWith(this.closing.slice(0, length))) return text.length - length
    }
    return text.length
  }
}
