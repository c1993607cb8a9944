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

/** A text this long without an end of a sentence, in UTF-16 units, is looked at again only when it has grown by a tenth. */
const longSentence = 2_000

/** Holds generated text back until each sentence is complete and has passed a check. Takes time linear in the text. */
export class SentenceGate {
  private readonly check: (sentence: string) => UnsupportedSentence | undefined
  private held: Array<TextEvent> = []
  private text = ""
  /** The length from which on the held text is looked at. */
  private lookFrom = 0

  constructor(check: (sentence: string) => UnsupportedSentence | undefined) {
    this.check = check
  }

  push(events: ReadonlyArray<TextEvent>): GateResult {
    this.held.push(...events)
    for (const event of events) if (event._tag === "Token") this.text += event.text
    if (this.text.length < this.lookFrom) return { released: [], refused: undefined }
    // the last sentence may go on
    const complete = sentences(this.text).slice(0, -1)
    this.lookFrom =
      complete.length === 0 && this.text.length > longSentence ? Math.ceil(this.text.length * 1.1) : 0
    return this.release(complete)
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
    let count = 0
    for (const event of this.held) {
      if (event._tag === "Token") {
        if (left === 0) break
        if (event.text.length > left) {
          taken.push({ _tag: "Token", text: event.text.slice(0, left) })
          this.held[count] = { _tag: "Token", text: event.text.slice(left) }
          break
        }
        left -= event.text.length
      }
      taken.push(event)
      count++
    }
    this.text = this.text.slice(length)
    this.held.splice(0, count)
    return taken
  }
}
