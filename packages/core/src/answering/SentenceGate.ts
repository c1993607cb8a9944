import type { AnswerEvent } from "../domain/Answer.ts"
import { sentences } from "../language/sentences.ts"
import type { UnsupportedSentence } from "./groundedness.ts"

/** Events that make up the text of an answer. */
export type TextEvent = Extract<AnswerEvent, { readonly _tag: "Token" | "CitationEvent" }>

export interface GateResult {
  /** Events of sentences that passed. */
  readonly released: ReadonlyArray<TextEvent>
  /** The first sentence that did not pass; nothing after it is released. */
  readonly refused: UnsupportedSentence | undefined
}

/** Holds generated text back until each sentence is complete and has passed a check. */
export class SentenceGate {
  private readonly check: (sentence: string) => UnsupportedSentence | undefined
  private held: Array<TextEvent> = []
  private text = ""

  constructor(check: (sentence: string) => UnsupportedSentence | undefined) {
    this.check = check
  }

  push(events: ReadonlyArray<TextEvent>): GateResult {
    this.held.push(...events)
    for (const event of events) if (event._tag === "Token") this.text += event.text
    // the last sentence may go on
    return this.release(sentences(this.text).slice(0, -1))
  }

  /** The text ends here. */
  end(): GateResult {
    const result = this.release(sentences(this.text))
    return result.refused === undefined
      ? { released: [...result.released, ...this.held.splice(0)], refused: undefined }
      : result
  }

  private release(complete: ReturnType<typeof sentences>): GateResult {
    let passed = 0
    let refused: UnsupportedSentence | undefined
    for (const { start, end } of complete) {
      refused = this.check(this.text.slice(start, end))
      if (refused !== undefined) break
      passed = end
    }
    return { released: passed === 0 ? [] : this.take(passed), refused }
  }

  /** Takes the events of the first `length` UTF-16 units out of what is held. */
  private take(length: number): ReadonlyArray<TextEvent> {
    const taken: Array<TextEvent> = []
    let left = length
    this.text = this.text.slice(length)
    while (this.held[0] !== undefined) {
      const event = this.held[0]
      if (event._tag === "Token" && event.text.length > left) {
        if (left > 0) taken.push({ _tag: "Token", text: event.text.slice(0, left) })
        this.held[0] = { _tag: "Token", text: event.text.slice(left) }
        return taken
      }
      if (event._tag === "Token" && left === 0) return taken
      taken.push(event)
      this.held.shift()
      if (event._tag === "Token") left -= event.text.length
    }
    return taken
  }
}
